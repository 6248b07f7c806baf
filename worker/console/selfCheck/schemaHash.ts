/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = '6efc4b769d25081273afae4ff610275af24c5438f6ff046ba5513398335044db'
