/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = '32f71aff397b5d26be843ef1b4ed3193bec01c5e0908a0f9af17e9f0508c9ad5'
