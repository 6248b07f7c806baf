/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = '5b7b4d74ae16b81735f004742881a1682cd58fb832ea3b1b43915b5b257f6755'
