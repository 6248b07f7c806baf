/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = 'ed788fb0a86636ec44bc1ce3a1b1427516c6ebe1538566d222c8751af526e490'
