//! The processes in a box: the template, the zygotes that it forks, and the start of programs.

mod child;
mod cleanup;
mod init;
mod landlock;
mod privileges;
mod root;
mod seccomp;
mod set_up_box;
mod sockets;
pub mod template;
mod zygote;
