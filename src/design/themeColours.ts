/** `--paper` of tokens.css, where no stylesheet applies: browser bars, icons, pictures. */
export const THEME_COLOURS = { light: '#fbfaf5', dark: '#09131b' } as const
