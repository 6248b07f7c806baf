/** Key in localStorage for whether the overview hides amounts. */
export const AMOUNTS_KEY = 'amounts'
