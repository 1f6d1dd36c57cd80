//! FNV-1a, 128 bits: a stable name for a kernel's text. No adversary chooses kernels, so no cryptographic hash is needed here.

pub fn fnv128(bytes: &[u8]) -> u128 {
    const OFFSET: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0100_0000_0000_0000_0000_013b;
    bytes.iter().fold(OFFSET, |h, &b| (h ^ u128::from(b)).wrapping_mul(PRIME))
}

#[cfg(test)]
mod tests {
    #[test]
    fn known_values() {
        assert_eq!(super::fnv128(b""), 0x6c62272e07bb014262b821756295c58d);
        assert_eq!(super::fnv128(b"foobar"), 0x343e1662793c64bf6f0d3597ba446f18);
    }
}
