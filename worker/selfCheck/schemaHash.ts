/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = '03d8d279ab1987cbc76097fcca47111ca914ef93faa9d2beff74c2a0bfdad612'
