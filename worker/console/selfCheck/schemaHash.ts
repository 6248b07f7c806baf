/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = '18d86f0dc2281a8e82d8094e2930af96dce11ba82f125ef703144c646d7fb5fc'
