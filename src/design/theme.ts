/** The local storage key of the chosen theme. Without a value the system decides. */
const THEME_KEY = 'theme'

export type Theme = 'system' | 'light' | 'dark'

/**
 * Runs in the head before the first paint, so that a stored theme does not flash. The page's security policy contains
 * its hash.
 */
export const themeBeforePaint = `try{const t=localStorage.getItem('${THEME_KEY}');if(t==='light'||t==='dark')document.documentElement.dataset.theme=t}catch{}`

/** The stored theme; `system` without one or without access to storage. */
export function readTheme(): Theme {
  try {
    const kept = localStorage.getItem(THEME_KEY)
    return kept === 'light' || kept === 'dark' ? kept : 'system'
  } catch {
    return 'system'
  }
}

/** Applies and stores a theme; `system` removes the stored one. */
export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  try {
    if (theme === 'system') localStorage.removeItem(THEME_KEY)
    else localStorage.setItem(THEME_KEY, theme)
  } catch {
    // Without storage the theme lasts until the page is left.
  }
}
