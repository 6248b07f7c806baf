/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = '29a453ebcbeffdc67de77a0a2d3e5b44f48e32fd635e85e4181e7de5a8fd39bb'
