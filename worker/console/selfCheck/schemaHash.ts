/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = '2174ef8fd467ab1fc9e7b68c1df5712e9161c2a22aed72d8237625faee59497e'
