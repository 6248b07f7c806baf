/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = 'f4d4e27077a31f7958562da6be08779d240887e7b45abdd573b7ee2586c07377'
