/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = '34a357d3a5d87ccaa6909f5c0b5511830f16416d104069cad598f196a9c83807'
