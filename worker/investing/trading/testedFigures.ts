import type { Tested } from './tested.ts'

/** Written by scripts/tested-figures.mjs: run that, don't edit this. By slug. */
export const TESTED_FIGURES: Readonly<Record<string, Tested>> = {
  'hold-the-index': {
    definition:
      '{"assets":["sim-index"],"costs":{"feeBasisPoints":25,"slippageBasisPoints":10},"kind":"buy-and-hold","risk":{},"values":{}}',
    firstDay: '2020-01-02',
    lastDay: '2026-06-30',
    totalReturn: 5.394913,
    cagr: 0.330457,
    maximumDrawdown: -0.74712,
    worstYear: { year: 2023, days: 365, thousandBecame: 648.968346, daysToRecover: 48, isLostAgain: false },
  },
  'a-little-each-month': {
    definition:
      '{"assets":["sim-index"],"costs":{"feeBasisPoints":25,"slippageBasisPoints":10},"kind":"cost-averaging","risk":{},"values":{"every":30,"most":80,"share":5}}',
    firstDay: '2020-01-02',
    lastDay: '2026-06-30',
    totalReturn: 2.810694,
    cagr: 0.228582,
    maximumDrawdown: -0.652688,
    worstYear: { year: 2023, days: 365, thousandBecame: 696.396728, daysToRecover: 48, isLostAgain: false },
  },
  'even-basket': {
    definition:
      '{"assets":["sim-alder","sim-birch","sim-cedar","sim-dogwood"],"costs":{"feeBasisPoints":25,"slippageBasisPoints":10},"kind":"rebalanced-basket","risk":{"maximumPosition":0.35},"values":{"band":5,"invested":80}}',
    firstDay: '2020-01-02',
    lastDay: '2026-06-30',
    totalReturn: 3.56987,
    cagr: 0.263412,
    maximumDrawdown: -0.660382,
    worstYear: { year: 2023, days: 365, thousandBecame: 754.795646, daysToRecover: 44, isLostAgain: false },
  },
  'slow-trend': {
    definition:
      '{"assets":["sim-index"],"costs":{"feeBasisPoints":25,"slippageBasisPoints":10},"kind":"sma-trend","risk":{"maximumDrawdown":0.5},"values":{"fast":50,"slow":200}}',
    firstDay: '2020-07-19',
    lastDay: '2026-06-30',
    totalReturn: -0.325806,
    cagr: -0.064075,
    maximumDrawdown: -0.515977,
    worstYear: { year: 2021, days: 365, thousandBecame: 790.197725, daysToRecover: 118, isLostAgain: true },
  },
  breakout: {
    definition:
      '{"assets":["sim-alder","sim-birch"],"costs":{"feeBasisPoints":25,"slippageBasisPoints":10},"kind":"donchian-trend","risk":{"maximumDrawdown":0.5,"maximumPosition":0.5},"values":{"entry":20,"exit":10}}',
    firstDay: '2020-01-22',
    lastDay: '2026-06-30',
    totalReturn: 0.010985,
    cagr: 0.001697,
    maximumDrawdown: -0.50063,
    worstYear: { year: 2022, days: 365, thousandBecame: 744.127586, daysToRecover: null, isLostAgain: false },
  },
  'strongest-two': {
    definition:
      '{"assets":["sim-alder","sim-birch","sim-cedar","sim-dogwood","sim-flint","sim-granite","sim-slate"],"costs":{"feeBasisPoints":25,"slippageBasisPoints":10},"kind":"momentum-rotation","risk":{"dailyTurnover":2,"maximumDrawdown":0.5,"maximumPosition":0.5},"values":{"every":30,"lookback":90,"top":2}}',
    firstDay: '2020-04-01',
    lastDay: '2026-06-30',
    totalReturn: -0.35929,
    cagr: -0.068729,
    maximumDrawdown: -0.503556,
    worstYear: { year: 2023, days: 365, thousandBecame: 754.682444, daysToRecover: null, isLostAgain: false },
  },
  'buy-the-dip': {
    definition:
      '{"assets":["sim-flint","sim-granite","sim-slate"],"costs":{"feeBasisPoints":25,"slippageBasisPoints":10},"kind":"mean-reversion","risk":{"maximumDrawdown":0.4,"maximumPosition":0.35},"values":{"bands":20,"loss":8,"oversold":30,"rsi":14,"width":2}}',
    firstDay: '2020-05-21',
    lastDay: '2026-06-30',
    totalReturn: 0.015111,
    cagr: 0.002456,
    maximumDrawdown: -0.143446,
    worstYear: { year: 2022, days: 365, thousandBecame: 958.695112, daysToRecover: 861, isLostAgain: true },
  },
  'even-keel': {
    definition:
      '{"assets":["sim-index"],"costs":{"feeBasisPoints":25,"slippageBasisPoints":10},"kind":"volatility-target","risk":{"maximumDrawdown":0.4},"values":{"band":5,"days":30,"target":30}}',
    firstDay: '2020-02-01',
    lastDay: '2026-06-30',
    totalReturn: 0.18191,
    cagr: 0.02639,
    maximumDrawdown: -0.40642,
    worstYear: { year: 2021, days: 365, thousandBecame: 637.370427, daysToRecover: null, isLostAgain: false },
  },
}
