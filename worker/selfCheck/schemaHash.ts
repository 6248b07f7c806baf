/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = '4076ea0f3834be4f64a68cd1ffcebac2fc2fcd29cf5cee72c1bb065cadfadd6f'
