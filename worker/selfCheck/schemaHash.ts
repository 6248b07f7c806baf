/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = 'ccc390f10db8b9b6385d5047c962171a9b4c876161fa7032a072b6044de218c4'
