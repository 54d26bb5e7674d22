//! The allocator on top of the C library, and the panic handler.

use super::{c, process};

/// The allocator on top of the C library.
pub struct Memory;

unsafe impl ::alloc::alloc::GlobalAlloc for Memory {
    unsafe fn alloc(&self, layout: core::alloc::Layout) -> *mut u8 {
        if layout.align() <= 16 {
            return unsafe { c::malloc(layout.size()) };
        }
        let mut found = core::ptr::null_mut();
        match unsafe { c::posix_memalign(&mut found, layout.align(), layout.size()) } {
            0 => found,
            _ => core::ptr::null_mut(),
        }
    }

    unsafe fn alloc_zeroed(&self, layout: core::alloc::Layout) -> *mut u8 {
        if layout.align() <= 16 {
            return unsafe { c::calloc(layout.size(), 1) };
        }
        let found = unsafe { self.alloc(layout) };
        if !found.is_null() {
            unsafe { core::ptr::write_bytes(found, 0, layout.size()) };
        }
        found
    }

    unsafe fn dealloc(&self, old: *mut u8, _: core::alloc::Layout) {
        unsafe { c::free(old) }
    }

    unsafe fn realloc(&self, old: *mut u8, layout: core::alloc::Layout, size: usize) -> *mut u8 {
        if layout.align() <= 16 {
            return unsafe { c::realloc(old, size) };
        }
        let new = core::alloc::Layout::from_size_align(size, layout.align());
        let new = unsafe { self.alloc(new.unwrap()) };
        if !new.is_null() {
            let common = if size < layout.size() {
                size
            } else {
                layout.size()
            };
            unsafe { core::ptr::copy_nonoverlapping(old, new, common) };
            unsafe { c::free(old) };
        }
        new
    }
}

#[global_allocator]
static MEMORY: Memory = Memory;

#[panic_handler]
fn panicked(_: &core::panic::PanicInfo) -> ! {
    process::exit(101)
}
