import type { OverfitCheck, OverfitLevel } from './backtestResult.ts'

/** The label and meaning of each level. */
export const LEVEL_WORDS: Readonly<Record<OverfitLevel, { readonly label: string; readonly means: string }>> =
  {
    luck: {
      label: 'No better than luck',
      means: 'At least one check found evidence against it. Assume that its figures are chance.',
    },
    uncertain: {
      label: 'Could be luck',
      means:
        'No check found evidence against it, but not every check supports it. Luck alone could explain the figures.',
    },
    'held-up': {
      label: 'Held up on unseen data so far',
      means: 'Every check supports it. This is not a forecast.',
    },
  }

/** The label and question of each check. All values are shares: 0.5 is 50 %. */
export const CHECK_WORDS: Readonly<Record<OverfitCheck, { readonly label: string; readonly asks: string }>> =
  {
    'deflated-sharpe': {
      label: 'Better than the luckiest of all trials',
      asks: 'The probability that its risk-adjusted return beats the best of as many worthless settings.',
    },
    'hold-out': {
      label: 'Kept out of sample',
      asks: 'How much of its risk-adjusted return was left out of sample.',
    },
    neighbours: {
      label: 'Similar parameters',
      asks: 'How many of the settings around its own made money.',
    },
    'walk-forward': {
      label: 'Walk-forward test',
      asks: 'How much of its risk-adjusted return was left when settings were chosen on two years and followed for half a year, repeatedly.',
    },
    overfitting: {
      label: 'Probability of backtest overfitting',
      asks: 'How often the best settings of one half of the days were not above the middle in the other half, over all 12,870 ways to halve them.',
    },
    forward: {
      label: 'Kept after the rules were frozen',
      asks: 'How much of its in-sample risk-adjusted return was left in the forward period.',
    },
    'probabilistic-sharpe': {
      label: 'Better than nothing',
      asks: 'The probability that its true risk-adjusted return is above 0.',
    },
    timing: {
      label: 'Timing against chance',
      asks: 'How many shifts of its days in the market, along the same prices, did at least as well. Without timing it is about 50%.',
    },
  }
