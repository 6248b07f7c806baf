/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = 'db248237b7b1c8355effa4bbc6a9da8275e3c43a81f2396a04b7d24e48ff0d8d'
