/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = '57a970feb5ae68569c3052692cdbe831c69e83a78e88888c2bc01ceaea06b1fc'
