/** `--paper` of tokens.css for where no stylesheet reaches: the browser's own bars, icons, pictures. */
export const THEME_COLOURS = { light: '#fbfaf5', dark: '#09131b' } as const
