//! Detection of processor features.

/// Whether the processor and the system support a feature.
pub fn has(name: &str) -> bool {
    use core::arch::x86_64::{__cpuid, __cpuid_count};
    let (one, seven) = unsafe { (__cpuid(1), __cpuid_count(7, 0)) };
    let system_saves_wide_registers = one.ecx >> 27 & 1 == 1 && {
        let low: u32;
        unsafe {
            core::arch::asm!("xgetbv", in("ecx") 0, out("eax") low, out("edx") _);
        }
        low & 6 == 6
    };
    match name {
        "sse3" => one.ecx & 1 == 1,
        "ssse3" => one.ecx >> 9 & 1 == 1,
        "sse4.1" => one.ecx >> 19 & 1 == 1,
        "sse4.2" => one.ecx >> 20 & 1 == 1,
        "popcnt" => one.ecx >> 23 & 1 == 1,
        "bmi1" => seven.ebx >> 3 & 1 == 1,
        "bmi2" => seven.ebx >> 8 & 1 == 1,
        "avx" => system_saves_wide_registers && one.ecx >> 28 & 1 == 1,
        "avx2" => system_saves_wide_registers && seven.ebx >> 5 & 1 == 1,
        _ => false,
    }
}
