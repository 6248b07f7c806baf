/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = '7ac1c4af756f78fb8f7ee917d8f8f0d515d144ca5ef0ef1612a7bc7f82842a3c'
