/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = '014cb4361ee492e655fc624298b04594bca6743ebcf20e0887cbbef53274ff55'
