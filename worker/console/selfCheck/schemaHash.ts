/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = 'e3e1e0764a6712e98ce41eab680573f15abc919014d2274e54b04397bb2ad4ae'
