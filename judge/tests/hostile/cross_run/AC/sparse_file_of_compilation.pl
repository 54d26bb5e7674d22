# Code that runs while compiling leaves a file with holes beside the program. Its pages could carry messages between runs.
use File::Basename;
BEGIN {
    if (open(my $file, '>', dirname(__FILE__) . '/sparse')) {
        truncate($file, 64 << 20);
        close $file;
    }
}
my ($size, $blocks) = (stat dirname(__FILE__) . '/sparse')[7, 12];
print defined $size && $blocks * 512 < $size ? "leak: $blocks blocks\n" : "42\n";
