/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = '80ee1d243c5c5d8a9b70fe5267e37be465a22514631c45930ce690ba28118a7f'
