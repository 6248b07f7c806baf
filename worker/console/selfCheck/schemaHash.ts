/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = '809b12deb97e3c055edcaaa03972ef830b6a10dc5e4b23949c47707b0cd341a8'
