/** The one key that the choice of theme is kept under; nothing there means that the system decides. */
const THEME_KEY = 'theme'

export type Theme = 'system' | 'light' | 'dark'

/** Runs in the head before the first paint, so that a remembered theme doesn't flash. It is hashed into the page's policy. */
export const themeBeforePaint = `try{const t=localStorage.getItem('${THEME_KEY}');if(t==='light'||t==='dark')document.documentElement.dataset.theme=t}catch{}`

/** The remembered theme; `system` where nothing is remembered or storage is closed. */
export function rememberedTheme(): Theme {
  try {
    const kept = localStorage.getItem(THEME_KEY)
    return kept === 'light' || kept === 'dark' ? kept : 'system'
  } catch {
    return 'system'
  }
}

/** Puts the theme on the page and remembers it; `system` forgets it. */
export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  try {
    if (theme === 'system') localStorage.removeItem(THEME_KEY)
    else localStorage.setItem(THEME_KEY, theme)
  } catch {
    // A browser that keeps nothing shows the theme until the page is left.
  }
}
