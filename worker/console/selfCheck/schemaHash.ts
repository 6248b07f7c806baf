/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = 'b030dd4b530a52ba5e77836c8933fa7e927e8ee5b04ad64dd2a51e1d0c04b459'
