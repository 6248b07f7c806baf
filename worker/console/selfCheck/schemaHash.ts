/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = 'b3904f6ffbbb7ad2ee19ae8d5ec09329a25e108970c0c2881137f0e455eb364f'
