import type { OverfitCheck, OverfitLevel } from './backtestResult.ts'

/** The label and meaning of each level. */
export const LEVEL_WORDS: Readonly<Record<OverfitLevel, { readonly label: string; readonly means: string }>> =
  {
    luck: {
      label: 'No better than luck',
      means: 'At least one check speaks against it. Take the figures as chance.',
    },
    uncertain: {
      label: 'Could be luck',
      means: 'No check speaks against it, but not all speak for it. Luck explains the figures well enough.',
    },
    'held-up': {
      label: 'Held up on unseen data so far',
      means: 'All checks speak for it. That is no forecast.',
    },
  }

/** The label and question of each check. All values are shares: 0.5 is 50 %. */
export const CHECK_WORDS: Readonly<Record<OverfitCheck, { readonly label: string; readonly asks: string }>> =
  {
    'deflated-sharpe': {
      label: 'Better than the luckiest of all trials',
      asks: 'How probable it is that its return for its risk beats the best of as many worthless settings.',
    },
    'hold-out': {
      label: 'Kept out of sample',
      asks: 'How much of its return for its risk was left out of sample.',
    },
    neighbours: {
      label: 'Similar parameters',
      asks: 'How many of the settings around its own made money.',
    },
    'walk-forward': {
      label: 'Chosen, then followed',
      asks: 'How much of it was left when settings were chosen on two years and followed for half a year, again and again.',
    },
  }
