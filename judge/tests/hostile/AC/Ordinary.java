// A program in a virtual machine, with its many threads.
import java.util.Scanner;

public class Ordinary {
    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        System.out.println(in.nextInt() * in.nextInt());
    }
}
