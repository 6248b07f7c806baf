/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = '7d3496c5db679e20e1def3e50190bcc0b6235754d45154aba12280612d3380cd'
