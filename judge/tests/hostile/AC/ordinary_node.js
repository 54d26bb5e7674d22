// A program in a virtual machine that reserves much address space.
const [a, b] = require("fs").readFileSync(0, "utf8").split(" ").map(Number);
console.log(a * b);
