/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = '00eb4a1dc15d9799333235cd7c44160987da299ac7157259e8e20463d47afc50'
