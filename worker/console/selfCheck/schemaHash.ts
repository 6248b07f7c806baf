/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = '4283d2c24270675d855e0e7d7cc68f2fb6abd350d3f540494fb1b0992ab7fd59'
