import type { OverfitCheck, OverfitLevel } from './backtestResult.ts'

/** The label and meaning of each level. */
export const LEVEL_WORDS: Readonly<Record<OverfitLevel, { readonly label: string; readonly means: string }>> =
  {
    luck: {
      label: 'No better than luck',
      means: 'At least one of the checks speaks against it: take the figures as chance.',
    },
    uncertain: {
      label: 'Could be luck',
      means: 'No check speaks against it, but not all speak for it: luck explains the figures well enough.',
    },
    'held-up': {
      label: 'Held up on unseen data so far',
      means: 'All checks speak for it. That says nothing of what comes next.',
    },
  }

/** The label and question of each check. All values are shares: 0.5 is 50 %. */
export const CHECK_WORDS: Readonly<Record<OverfitCheck, { readonly label: string; readonly asks: string }>> =
  {
    'deflated-sharpe': {
      label: 'Better than the luckiest of all trials',
      asks: 'How probable it is that its return for its risk is above what the best of so many worthless settings would have shown.',
    },
    'hold-out': {
      label: 'Kept on unseen data',
      asks: 'How much of its return for its risk was left in the period that no parameter was chosen by.',
    },
    neighbours: {
      label: 'Similar parameters',
      asks: 'How many of the settings around its own made money too.',
    },
    'walk-forward': {
      label: 'Chosen, then followed',
      asks: 'How much of its return for its risk was left where settings were chosen on two years and followed in the next half-year, again and again.',
    },
  }
