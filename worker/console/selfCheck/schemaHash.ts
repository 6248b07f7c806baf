/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = 'd369d413f4b0e61520afd5fc113f462243cb4abbeb0990b0634ccd04ae7651a1'
