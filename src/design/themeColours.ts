/** `--paper` of tokens.css for where no stylesheet reaches: the browser's own bars, icons, pictures. */
export const THEME_COLOURS = { light: '#fbfaf6', dark: '#0a141d' } as const
