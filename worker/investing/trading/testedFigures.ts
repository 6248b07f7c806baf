import type { TestedFigures } from './tested.ts'

// Written by scripts/tested-figures.mjs: run that, don't edit this.

/** By slug. */
export const TESTED_FIGURES: Readonly<Record<string, TestedFigures>> = {
  'hold-the-index': {
    market: 'simulated',
    definition:
      '{"assets":["sim-index"],"costs":{"feeBasisPoints":25,"slippageBasisPoints":10},"kind":"buy-and-hold","risk":{},"values":{}}',
    firstDay: '2020-01-02',
    lastDay: '2026-06-30',
    totalReturn: 5.394913,
    cagr: 0.330457,
    maximumDrawdown: -0.74712,
    worstYear: { year: 2023, days: 365, thousandBecame: 648.968346, daysToRecover: 48, isLostAgain: false },
    level: 'uncertain',
    stoppedOn: null,
  },
  'a-little-each-month': {
    market: 'simulated',
    definition:
      '{"assets":["sim-index"],"costs":{"feeBasisPoints":25,"slippageBasisPoints":10},"kind":"cost-averaging","risk":{},"values":{"every":30,"most":80,"share":5}}',
    firstDay: '2020-01-02',
    lastDay: '2026-06-30',
    totalReturn: 2.810694,
    cagr: 0.228582,
    maximumDrawdown: -0.652688,
    worstYear: { year: 2023, days: 365, thousandBecame: 696.396728, daysToRecover: 48, isLostAgain: false },
    level: 'luck',
    stoppedOn: null,
  },
  'even-basket': {
    market: 'simulated',
    definition:
      '{"assets":["sim-alder","sim-birch","sim-cedar","sim-dogwood"],"costs":{"feeBasisPoints":25,"slippageBasisPoints":10},"kind":"rebalanced-basket","risk":{"maximumPosition":0.35},"values":{"band":5,"invested":80}}',
    firstDay: '2020-01-02',
    lastDay: '2026-06-30',
    totalReturn: 3.56987,
    cagr: 0.263412,
    maximumDrawdown: -0.660382,
    worstYear: { year: 2023, days: 365, thousandBecame: 754.795646, daysToRecover: 44, isLostAgain: false },
    level: 'uncertain',
    stoppedOn: null,
  },
  'slow-trend': {
    market: 'simulated',
    definition:
      '{"assets":["sim-index"],"costs":{"feeBasisPoints":25,"slippageBasisPoints":10},"kind":"sma-trend","risk":{"maximumDrawdown":0.5},"values":{"fast":50,"slow":200}}',
    firstDay: '2020-07-19',
    lastDay: '2026-06-30',
    totalReturn: -0.325806,
    cagr: -0.064075,
    maximumDrawdown: -0.515977,
    worstYear: { year: 2021, days: 365, thousandBecame: 790.197725, daysToRecover: 118, isLostAgain: true },
    level: 'luck',
    stoppedOn: '2023-01-17',
  },
  breakout: {
    market: 'simulated',
    definition:
      '{"assets":["sim-alder","sim-birch"],"costs":{"feeBasisPoints":25,"slippageBasisPoints":10},"kind":"donchian-trend","risk":{"maximumDrawdown":0.5,"maximumPosition":0.5},"values":{"entry":20,"exit":10}}',
    firstDay: '2020-01-22',
    lastDay: '2026-06-30',
    totalReturn: 0.010985,
    cagr: 0.001697,
    maximumDrawdown: -0.50063,
    worstYear: { year: 2022, days: 365, thousandBecame: 744.127586, daysToRecover: null, isLostAgain: false },
    level: 'luck',
    stoppedOn: '2024-01-02',
  },
  'strongest-two': {
    market: 'simulated',
    definition:
      '{"assets":["sim-alder","sim-birch","sim-cedar","sim-dogwood","sim-flint","sim-granite","sim-slate"],"costs":{"feeBasisPoints":25,"slippageBasisPoints":10},"kind":"momentum-rotation","risk":{"dailyTurnover":2,"maximumDrawdown":0.5,"maximumPosition":0.5},"values":{"every":30,"lookback":90,"top":2}}',
    firstDay: '2020-04-01',
    lastDay: '2026-06-30',
    totalReturn: -0.35929,
    cagr: -0.068729,
    maximumDrawdown: -0.503556,
    worstYear: { year: 2023, days: 365, thousandBecame: 754.682444, daysToRecover: null, isLostAgain: false },
    level: 'luck',
    stoppedOn: '2023-02-03',
  },
  'buy-the-dip': {
    market: 'simulated',
    definition:
      '{"assets":["sim-flint","sim-granite","sim-slate"],"costs":{"feeBasisPoints":25,"slippageBasisPoints":10},"kind":"mean-reversion","risk":{"maximumDrawdown":0.4,"maximumPosition":0.35},"values":{"bands":20,"loss":8,"oversold":30,"rsi":14,"width":2}}',
    firstDay: '2020-05-21',
    lastDay: '2026-06-30',
    totalReturn: 0.015111,
    cagr: 0.002456,
    maximumDrawdown: -0.143446,
    worstYear: { year: 2022, days: 365, thousandBecame: 958.695112, daysToRecover: 861, isLostAgain: true },
    level: 'luck',
    stoppedOn: null,
  },
  'even-keel': {
    market: 'simulated',
    definition:
      '{"assets":["sim-index"],"costs":{"feeBasisPoints":25,"slippageBasisPoints":10},"kind":"volatility-target","risk":{"maximumDrawdown":0.4},"values":{"band":5,"days":30,"target":30}}',
    firstDay: '2020-02-01',
    lastDay: '2026-06-30',
    totalReturn: 0.18191,
    cagr: 0.02639,
    maximumDrawdown: -0.40642,
    worstYear: { year: 2021, days: 365, thousandBecame: 637.370427, daysToRecover: null, isLostAgain: false },
    level: 'luck',
    stoppedOn: '2021-09-25',
  },
  'hold-the-index-bitcoin': {
    market: 'kraken',
    definition:
      '{"assets":["bitcoin"],"costs":{"feeBasisPoints":40,"slippageBasisPoints":10},"kind":"buy-and-hold","risk":{},"values":{}}',
    firstDay: '2016-02-26',
    lastDay: '2023-12-31',
    totalReturn: 98.417636,
    cagr: 0.796335,
    maximumDrawdown: -0.835712,
    worstYear: { year: 2018, days: 365, thousandBecame: 263.89564, daysToRecover: 673, isLostAgain: false },
    level: 'uncertain',
    stoppedOn: null,
  },
  'hold-the-index-ether': {
    market: 'kraken',
    definition:
      '{"assets":["ethereum"],"costs":{"feeBasisPoints":40,"slippageBasisPoints":10},"kind":"buy-and-hold","risk":{},"values":{}}',
    firstDay: '2016-03-18',
    lastDay: '2023-12-31',
    totalReturn: 202.854087,
    cagr: 0.978221,
    maximumDrawdown: -0.9408,
    worstYear: { year: 2018, days: 365, thousandBecame: 175.420253, daysToRecover: 730, isLostAgain: false },
    level: 'uncertain',
    stoppedOn: null,
  },
  'a-little-each-month-bitcoin': {
    market: 'kraken',
    definition:
      '{"assets":["bitcoin"],"costs":{"feeBasisPoints":40,"slippageBasisPoints":10},"kind":"cost-averaging","risk":{},"values":{"every":30,"most":80,"share":5}}',
    firstDay: '2016-02-26',
    lastDay: '2023-12-31',
    totalReturn: 46.429583,
    cagr: 0.634758,
    maximumDrawdown: -0.823908,
    worstYear: { year: 2018, days: 365, thousandBecame: 278.20397, daysToRecover: 673, isLostAgain: false },
    level: 'held-up',
    stoppedOn: null,
  },
  'a-little-each-month-ether': {
    market: 'kraken',
    definition:
      '{"assets":["ethereum"],"costs":{"feeBasisPoints":40,"slippageBasisPoints":10},"kind":"cost-averaging","risk":{},"values":{"every":30,"most":80,"share":5}}',
    firstDay: '2016-03-18',
    lastDay: '2023-12-31',
    totalReturn: 129.250743,
    cagr: 0.867739,
    maximumDrawdown: -0.936689,
    worstYear: { year: 2018, days: 365, thousandBecame: 182.151763, daysToRecover: 730, isLostAgain: false },
    level: 'uncertain',
    stoppedOn: null,
  },
  'even-basket-basket': {
    market: 'kraken',
    definition:
      '{"assets":["bitcoin","ethereum","ripple","cardano","solana"],"costs":{"feeBasisPoints":40,"slippageBasisPoints":10},"kind":"rebalanced-basket","risk":{"maximumPosition":0.35},"values":{"band":5,"invested":80}}',
    firstDay: '2016-02-26',
    lastDay: '2023-12-31',
    totalReturn: 213.501355,
    cagr: 0.981161,
    maximumDrawdown: -0.790051,
    worstYear: { year: 2022, days: 365, thousandBecame: 347.816923, daysToRecover: null, isLostAgain: false },
    level: 'uncertain',
    stoppedOn: null,
  },
  'even-basket-bitcoin': {
    market: 'kraken',
    definition:
      '{"assets":["bitcoin"],"costs":{"feeBasisPoints":40,"slippageBasisPoints":10},"kind":"rebalanced-basket","risk":{"maximumPosition":0.35},"values":{"band":5,"invested":80}}',
    firstDay: '2016-02-26',
    lastDay: '2023-12-31',
    totalReturn: 28.8152,
    cagr: 0.54091,
    maximumDrawdown: -0.709965,
    worstYear: { year: 2018, days: 365, thousandBecame: 408.782312, daysToRecover: 673, isLostAgain: false },
    level: 'uncertain',
    stoppedOn: null,
  },
  'slow-trend-bitcoin': {
    market: 'kraken',
    definition:
      '{"assets":["bitcoin"],"costs":{"feeBasisPoints":40,"slippageBasisPoints":10},"kind":"sma-trend","risk":{"maximumDrawdown":0.5},"values":{"fast":50,"slow":200}}',
    firstDay: '2016-09-12',
    lastDay: '2023-12-31',
    totalReturn: 13.645894,
    cagr: 0.443901,
    maximumDrawdown: -0.535162,
    worstYear: { year: 2018, days: 365, thousandBecame: 643.160913, daysToRecover: null, isLostAgain: false },
    level: 'uncertain',
    stoppedOn: '2018-02-01',
  },
  'slow-trend-ether': {
    market: 'kraken',
    definition:
      '{"assets":["ethereum"],"costs":{"feeBasisPoints":40,"slippageBasisPoints":10},"kind":"sma-trend","risk":{"maximumDrawdown":0.5},"values":{"fast":50,"slow":200}}',
    firstDay: '2016-10-03',
    lastDay: '2023-12-31',
    totalReturn: 10.390745,
    cagr: 0.398766,
    maximumDrawdown: -0.510134,
    worstYear: { year: 2016, days: 90, thousandBecame: 773.547571, daysToRecover: 60, isLostAgain: false },
    level: 'luck',
    stoppedOn: '2017-07-11',
  },
  'breakout-basket': {
    market: 'kraken',
    definition:
      '{"assets":["bitcoin","ethereum","ripple","cardano","solana"],"costs":{"feeBasisPoints":40,"slippageBasisPoints":10},"kind":"donchian-trend","risk":{"maximumDrawdown":0.5,"maximumPosition":0.5},"values":{"entry":20,"exit":10}}',
    firstDay: '2016-03-17',
    lastDay: '2023-12-31',
    totalReturn: 21.986914,
    cagr: 0.494893,
    maximumDrawdown: -0.504989,
    worstYear: { year: 2018, days: 365, thousandBecame: 657.619705, daysToRecover: null, isLostAgain: false },
    level: 'uncertain',
    stoppedOn: '2018-11-24',
  },
  'breakout-bitcoin': {
    market: 'kraken',
    definition:
      '{"assets":["bitcoin"],"costs":{"feeBasisPoints":40,"slippageBasisPoints":10},"kind":"donchian-trend","risk":{"maximumDrawdown":0.5,"maximumPosition":0.5},"values":{"entry":20,"exit":10}}',
    firstDay: '2016-03-17',
    lastDay: '2023-12-31',
    totalReturn: 13.666953,
    cagr: 0.411183,
    maximumDrawdown: -0.30764,
    worstYear: { year: 2022, days: 365, thousandBecame: 777.196597, daysToRecover: 339, isLostAgain: true },
    level: 'uncertain',
    stoppedOn: null,
  },
  'strongest-two-basket': {
    market: 'kraken',
    definition:
      '{"assets":["bitcoin","ethereum","ripple","cardano","solana"],"costs":{"feeBasisPoints":40,"slippageBasisPoints":10},"kind":"momentum-rotation","risk":{"dailyTurnover":2,"maximumDrawdown":0.5,"maximumPosition":0.5},"values":{"every":30,"lookback":90,"top":2}}',
    firstDay: '2016-05-26',
    lastDay: '2023-12-31',
    totalReturn: 66.03803,
    cagr: 0.73833,
    maximumDrawdown: -0.507502,
    worstYear: { year: 2018, days: 365, thousandBecame: 659.059393, daysToRecover: null, isLostAgain: false },
    level: 'uncertain',
    stoppedOn: '2018-01-16',
  },
  'strongest-two-bitcoin': {
    market: 'kraken',
    definition:
      '{"assets":["bitcoin"],"costs":{"feeBasisPoints":40,"slippageBasisPoints":10},"kind":"momentum-rotation","risk":{"dailyTurnover":2,"maximumDrawdown":0.5,"maximumPosition":0.5},"values":{"every":30,"lookback":90,"top":2}}',
    firstDay: '2016-05-26',
    lastDay: '2023-12-31',
    totalReturn: 6.634584,
    cagr: 0.306388,
    maximumDrawdown: -0.515603,
    worstYear: { year: 2018, days: 365, thousandBecame: 660.956597, daysToRecover: null, isLostAgain: false },
    level: 'uncertain',
    stoppedOn: '2018-02-01',
  },
  'buy-the-dip-basket': {
    market: 'kraken',
    definition:
      '{"assets":["bitcoin","ethereum","ripple","cardano","solana"],"costs":{"feeBasisPoints":40,"slippageBasisPoints":10},"kind":"mean-reversion","risk":{"maximumDrawdown":0.4,"maximumPosition":0.35},"values":{"bands":20,"loss":8,"oversold":30,"rsi":14,"width":2}}',
    firstDay: '2016-07-15',
    lastDay: '2023-12-31',
    totalReturn: -0.387374,
    cagr: -0.063503,
    maximumDrawdown: -0.418632,
    worstYear: { year: 2018, days: 365, thousandBecame: 600.521889, daysToRecover: null, isLostAgain: false },
    level: 'luck',
    stoppedOn: '2018-11-20',
  },
  'buy-the-dip-bitcoin': {
    market: 'kraken',
    definition:
      '{"assets":["bitcoin"],"costs":{"feeBasisPoints":40,"slippageBasisPoints":10},"kind":"mean-reversion","risk":{"maximumDrawdown":0.4,"maximumPosition":0.35},"values":{"bands":20,"loss":8,"oversold":30,"rsi":14,"width":2}}',
    firstDay: '2016-07-15',
    lastDay: '2023-12-31',
    totalReturn: -0.244863,
    cagr: -0.036907,
    maximumDrawdown: -0.409172,
    worstYear: { year: 2018, days: 365, thousandBecame: 826.524165, daysToRecover: null, isLostAgain: false },
    level: 'luck',
    stoppedOn: '2022-06-16',
  },
  'even-keel-bitcoin': {
    market: 'kraken',
    definition:
      '{"assets":["bitcoin"],"costs":{"feeBasisPoints":40,"slippageBasisPoints":10},"kind":"volatility-target","risk":{"maximumDrawdown":0.4},"values":{"band":5,"days":30,"target":30}}',
    firstDay: '2016-03-27',
    lastDay: '2023-12-31',
    totalReturn: 3.242968,
    cagr: 0.204433,
    maximumDrawdown: -0.438974,
    worstYear: { year: 2018, days: 365, thousandBecame: 613.661781, daysToRecover: null, isLostAgain: false },
    level: 'luck',
    stoppedOn: '2018-11-19',
  },
  'even-keel-ether': {
    market: 'kraken',
    definition:
      '{"assets":["ethereum"],"costs":{"feeBasisPoints":40,"slippageBasisPoints":10},"kind":"volatility-target","risk":{"maximumDrawdown":0.4},"values":{"band":5,"days":30,"target":30}}',
    firstDay: '2016-04-17',
    lastDay: '2023-12-31',
    totalReturn: 1.866195,
    cagr: 0.146292,
    maximumDrawdown: -0.425322,
    worstYear: { year: 2018, days: 365, thousandBecame: 672.784203, daysToRecover: null, isLostAgain: false },
    level: 'luck',
    stoppedOn: '2018-09-05',
  },
}

/** The forward bands of backtests on real prices as JSON, by slug. */
export const REAL_BANDS: Readonly<Record<string, string>> = {
  'hold-the-index-bitcoin':
    '{"days":[1,2,3,5,7,10,14,21,30,45,60,90,120,180,270,365,545,730],"lines":[[0.8922,0.9419,1.0019,1.0621,1.1113],[0.8619,0.9211,1.0034,1.0884,1.1507],[0.8235,0.8971,1.0042,1.1166,1.1899],[0.7987,0.8769,1.0075,1.1675,1.2502],[0.7773,0.8646,1.0086,1.1989,1.2974],[0.7298,0.8358,1.0145,1.2538,1.382],[0.685,0.8136,1.0198,1.2982,1.4852],[0.6548,0.7808,1.0321,1.3802,1.6243],[0.5942,0.7489,1.0452,1.4727,1.7766],[0.5561,0.6994,1.0693,1.6327,2.0551],[0.5256,0.6683,1.0965,1.8442,2.3252],[0.4674,0.6112,1.1443,2.1918,2.9588],[0.417,0.5808,1.2194,2.5694,3.5622],[0.3775,0.5548,1.3301,3.2581,4.9568],[0.3301,0.5238,1.5547,4.5644,7.7015],[0.2974,0.5042,1.7792,6.3713,10.6782],[0.2662,0.523,2.3566,11.6365,21.8326],[0.2403,0.5388,3.1283,19.571,41.2313]]}',
  'hold-the-index-ether':
    '{"days":[1,2,3,5,7,10,14,21,30,45,60,90,120,180,270,365,545,730],"lines":[[0.8603,0.9247,1.0008,1.0888,1.1571],[0.829,0.8971,1.0013,1.1278,1.2228],[0.782,0.8751,1.0037,1.1598,1.2859],[0.7295,0.8342,1.0066,1.2092,1.3765],[0.6882,0.8117,1.0108,1.2581,1.4867],[0.6756,0.7842,1.0201,1.343,1.6817],[0.6357,0.7387,1.0227,1.4206,1.8348],[0.5627,0.6868,1.0269,1.5953,2.2614],[0.505,0.6433,1.0406,1.7729,2.639],[0.4448,0.5965,1.0685,2.0455,3.3522],[0.3939,0.5448,1.0854,2.3977,4.0199],[0.35,0.4824,1.1423,3.0382,5.4554],[0.296,0.4412,1.22,3.7106,6.7252],[0.2443,0.3995,1.3495,5.5317,10.3333],[0.1871,0.3473,1.6162,8.8824,22.8346],[0.1518,0.313,1.9266,13.9341,37.604],[0.1167,0.2971,2.678,31.559,90.4852],[0.1347,0.3032,3.7439,63.7901,207.1903]]}',
  'a-little-each-month-bitcoin':
    '{"days":[1,2,3,5,7,10,14,21,30,45,60,90,120,180,270,365,545,730],"lines":[[0.8992,0.9443,1.0013,1.0588,1.1083],[0.8633,0.9248,1.0023,1.0825,1.1431],[0.8363,0.901,1.0032,1.1106,1.1764],[0.8065,0.8812,1.0051,1.156,1.2389],[0.7827,0.8693,1.007,1.1882,1.2796],[0.742,0.8438,1.0112,1.2381,1.3692],[0.6916,0.8216,1.0157,1.2752,1.4514],[0.6707,0.7881,1.0248,1.359,1.5784],[0.6076,0.7544,1.0343,1.4381,1.7335],[0.5695,0.7054,1.0571,1.5882,1.987],[0.5384,0.6757,1.0762,1.7614,2.2465],[0.4839,0.6195,1.117,2.0796,2.7374],[0.431,0.5922,1.1802,2.4061,3.3219],[0.3882,0.5584,1.2679,2.9773,4.338],[0.3352,0.5171,1.441,4.0945,6.772],[0.3042,0.4896,1.6172,5.4823,8.9972],[0.2566,0.5009,2.0571,9.3893,17.6108],[0.2287,0.4962,2.5737,15.4169,30.8616]]}',
  'a-little-each-month-ether':
    '{"days":[1,2,3,5,7,10,14,21,30,45,60,90,120,180,270,365,545,730],"lines":[[0.8785,0.9297,1.0006,1.077,1.152],[0.834,0.9035,1.0012,1.1154,1.1901],[0.7929,0.884,1.0028,1.1457,1.2586],[0.7442,0.8459,1.0054,1.1873,1.3563],[0.6958,0.8236,1.0082,1.2385,1.4504],[0.682,0.795,1.0148,1.3192,1.6356],[0.6519,0.7517,1.0173,1.3748,1.735],[0.5687,0.6993,1.0211,1.5582,2.1222],[0.516,0.6577,1.0327,1.7263,2.3354],[0.4574,0.607,1.0588,1.9595,2.9014],[0.4121,0.5575,1.0776,2.2496,3.4282],[0.367,0.4978,1.1291,2.8039,4.3765],[0.3298,0.4679,1.197,3.3019,5.8384],[0.2639,0.4208,1.3322,4.7518,8.4958],[0.2075,0.3773,1.5366,7.2909,17.94],[0.1722,0.34,1.8282,11.1892,25.9896],[0.1477,0.3135,2.4803,22.4289,58.4898],[0.1398,0.3283,3.3725,43.9623,114.174]]}',
  'even-basket-basket':
    '{"days":[1,2,3,5,7,10,14,21,30,45,60,90,120,180,270,365,545,730],"lines":[[0.9053,0.9467,1.0026,1.0601,1.11],[0.8866,0.9322,1.0029,1.0856,1.1537],[0.8582,0.9101,1.0044,1.1069,1.1902],[0.8276,0.8972,1.0106,1.1462,1.2496],[0.7967,0.8795,1.013,1.1806,1.312],[0.765,0.8571,1.0156,1.2421,1.4131],[0.7435,0.8293,1.0212,1.3031,1.5027],[0.7092,0.8008,1.0328,1.4115,1.7076],[0.6625,0.7681,1.0454,1.5166,1.8976],[0.6158,0.725,1.0693,1.6843,2.2622],[0.5919,0.7036,1.0955,1.9036,2.5326],[0.5195,0.6686,1.151,2.2933,3.2596],[0.4563,0.6396,1.2274,2.7082,3.8709],[0.4107,0.5999,1.3685,3.5927,5.5167],[0.3863,0.5924,1.6205,5.2947,8.7845],[0.3736,0.5864,1.9318,7.4005,12.9887],[0.3571,0.6291,2.6531,13.9404,31.9162],[0.3516,0.6939,3.8022,24.3646,60.0264]]}',
  'even-basket-bitcoin':
    '{"days":[1,2,3,5,7,10,14,21,30,45,60,90,120,180,270,365,545,730],"lines":[[0.9241,0.9588,1.0013,1.045,1.0812],[0.8965,0.9434,1.0021,1.0633,1.1042],[0.8725,0.9255,1.0027,1.0816,1.1411],[0.8554,0.908,1.0041,1.1182,1.1838],[0.8283,0.9005,1.0053,1.1373,1.223],[0.8009,0.8819,1.0092,1.1757,1.284],[0.7794,0.8693,1.012,1.2099,1.3567],[0.7519,0.8373,1.0199,1.2717,1.4589],[0.7046,0.8166,1.0284,1.3324,1.5624],[0.6732,0.7803,1.0449,1.4412,1.731],[0.6417,0.7563,1.0621,1.5758,1.9457],[0.5884,0.7127,1.0964,1.7961,2.2893],[0.5565,0.6933,1.1459,2.016,2.6075],[0.5144,0.6694,1.2234,2.4032,3.3437],[0.464,0.645,1.3717,3.0897,4.6875],[0.4406,0.6157,1.5083,3.9192,5.8895],[0.4018,0.6441,1.8578,6.0528,10.2256],[0.3837,0.6594,2.281,9.2019,16.0673]]}',
  'slow-trend-bitcoin':
    '{"days":[1,2,3,5,7,10,14,21,30,45,60,90,120,180,270,365,545,730],"lines":[[0.8765,0.9314,1.0057,1.079,1.1492],[0.8219,0.9001,1.0111,1.1193,1.184],[0.8105,0.8778,1.0175,1.1503,1.2347],[0.7818,0.8624,1.0288,1.2068,1.3088],[0.7522,0.8352,1.0343,1.2624,1.4356],[0.7426,0.8098,1.0496,1.3239,1.5145],[0.7165,0.7977,1.0751,1.4393,1.6972],[0.6645,0.7765,1.1229,1.6045,2.0394],[0.6079,0.7653,1.1767,1.7938,2.302],[0.5765,0.7217,1.2606,2.1931,2.8097],[0.5431,0.7221,1.3594,2.5837,3.351],[0.545,0.7551,1.6227,3.4396,4.687],[0.4982,0.7782,1.9125,4.4201,6.3689],[0.5571,0.8769,2.6183,7.4427,11.4268],[0.6523,1.1283,4.2749,15.6463,28.7443],[0.773,1.5057,7.1497,31.4118,62.6281],[1.3065,2.881,19.0283,118.9459,224.4057],[2.1047,5.3406,49.7963,417.1114,1040.639]]}',
  'slow-trend-ether':
    '{"days":[1,2,3,5,7,10,14,21,30,45,60,90,120,180,270,365,545,730],"lines":[[0.8883,0.9311,1,1.1349,1.2249],[0.841,0.9031,1,1.2323,1.3429],[0.8096,0.8987,1,1.2918,1.4914],[0.7871,0.871,1,1.4416,1.7742],[0.7291,0.8473,1,1.5072,2.1122],[0.6983,0.8068,1,1.7704,2.2594],[0.6446,0.7489,1,1.9917,2.5416],[0.5955,0.7024,1.0279,2.5867,3.1291],[0.5277,0.6459,1.1287,3.2267,4.1977],[0.4773,0.6092,1.3518,4.383,6.5961],[0.448,0.6047,1.5807,5.8803,9.4145],[0.3827,0.5823,2.1824,10.0018,16.9545],[0.348,0.5839,2.8651,16.2494,30.0815],[0.3335,0.6348,4.834,41.4157,92.0792],[0.3537,0.8645,10.1902,141.559,408.6074],[0.4703,1.2746,23.1506,483.8151,1555.832],[0.8197,2.9894,120.0806,4527.559,24458.22],[1.6522,8.222,602.3214,45780.69,239065.6]]}',
  'breakout-basket':
    '{"days":[1,2,3,5,7,10,14,21,30,45,60,90,120,180,270,365,545,730],"lines":[[0.902,0.9577,1,1.0705,1.1578],[0.8633,0.9341,1,1.102,1.2266],[0.8361,0.9236,1,1.1522,1.3248],[0.8165,0.897,1,1.2188,1.4488],[0.7617,0.8848,1,1.2814,1.5481],[0.7471,0.8597,1,1.3652,1.6502],[0.7199,0.8375,1.0033,1.4959,1.8101],[0.6909,0.8057,1.0138,1.6978,2.1776],[0.6239,0.7815,1.0272,1.9057,2.612],[0.61,0.7561,1.0587,2.2781,3.3475],[0.5784,0.7259,1.097,2.6251,4.0765],[0.5554,0.7059,1.1957,3.3961,5.4968],[0.5336,0.6954,1.3185,4.3426,7.4082],[0.4817,0.6729,1.6133,6.5576,13.7648],[0.4572,0.6884,2.2186,11.8475,25.8266],[0.4702,0.7341,2.9875,20.3766,44.7573],[0.4984,0.9073,5.487,49.701,136.8238],[0.611,1.1399,9.6205,124.5301,358.741]]}',
  'breakout-bitcoin':
    '{"days":[1,2,3,5,7,10,14,21,30,45,60,90,120,180,270,365,545,730],"lines":[[0.954,0.9813,1,1.0271,1.0555],[0.9377,0.9708,1,1.0385,1.0754],[0.9259,0.9643,1,1.0535,1.0981],[0.9117,0.9523,1,1.0717,1.1253],[0.9011,0.9436,1,1.0867,1.164],[0.8861,0.9341,1,1.1153,1.2086],[0.8679,0.9242,1,1.1394,1.2748],[0.8633,0.9151,1,1.1815,1.36],[0.8547,0.9029,1.002,1.237,1.434],[0.8337,0.8923,1.0138,1.324,1.532],[0.8157,0.8835,1.0267,1.3847,1.6289],[0.7925,0.8709,1.0526,1.5134,1.8433],[0.7689,0.861,1.0888,1.6269,1.97],[0.7431,0.8481,1.1482,1.8357,2.3596],[0.7075,0.8491,1.2411,2.2059,2.8835],[0.6983,0.8414,1.3674,2.5829,3.4497],[0.7154,0.8942,1.6164,3.3948,5.111],[0.7274,0.9505,1.9273,4.4867,7.1146]]}',
  'strongest-two-basket':
    '{"days":[1,2,3,5,7,10,14,21,30,45,60,90,120,180,270,365,545,730],"lines":[[0.8818,0.9399,1.0024,1.0825,1.21],[0.832,0.9105,1.0056,1.1489,1.3074],[0.7848,0.906,1.0106,1.2063,1.3748],[0.7728,0.8787,1.0196,1.2902,1.5347],[0.7197,0.8634,1.0281,1.3489,1.7967],[0.7032,0.8444,1.0406,1.4932,1.9502],[0.6443,0.8263,1.0606,1.6664,2.1827],[0.633,0.8062,1.0975,2.0006,2.5348],[0.625,0.7952,1.1566,2.3627,3.436],[0.6001,0.7943,1.2852,3.1061,4.6297],[0.5999,0.7945,1.4188,3.8234,5.821],[0.613,0.8263,1.7288,5.7119,9.96],[0.6223,0.8739,2.1884,8.122,15.0246],[0.6466,0.9895,3.3624,16.4936,34.1066],[0.7908,1.3329,6.3597,45.8657,89.6614],[0.9284,1.9062,12.7707,113.0436,296.5548],[1.8371,4.2929,44.8359,625.8883,2600.574],[3.6646,10.2499,171.2218,3431.265,14255.88]]}',
  'strongest-two-bitcoin':
    '{"days":[1,2,3,5,7,10,14,21,30,45,60,90,120,180,270,365,545,730],"lines":[[0.905,0.9441,1.0014,1.0546,1.1217],[0.8665,0.9328,1.0028,1.0995,1.1509],[0.8387,0.914,1.0059,1.1195,1.179],[0.8005,0.8949,1.0102,1.1676,1.2497],[0.8033,0.8833,1.0124,1.2061,1.3408],[0.789,0.8606,1.0181,1.2523,1.44],[0.748,0.848,1.0299,1.3197,1.581],[0.7195,0.8288,1.0514,1.4555,1.8559],[0.7048,0.8161,1.0782,1.6076,2.1336],[0.6683,0.7982,1.1315,1.8796,2.4078],[0.6356,0.7926,1.1855,2.121,2.8086],[0.6342,0.7959,1.3265,2.5765,3.5137],[0.6349,0.8018,1.4595,3.0712,4.4732],[0.6182,0.8242,1.7671,4.3261,6.5033],[0.622,0.889,2.3691,7.1282,11.3479],[0.637,1.0472,3.3001,11.692,19.4234],[0.8087,1.4835,6.0014,28.2645,56.4067],[1.0969,2.1311,11.2327,69.3927,136.8529]]}',
  'buy-the-dip-basket':
    '{"days":[1,2,3,5,7,10,14,21,30,45,60,90,120,180,270,365,545,730],"lines":[[0.9634,0.9959,1,1.0002,1.0169],[0.9534,0.988,1,1.0035,1.0281],[0.9406,0.9731,1,1.0035,1.0296],[0.8929,0.9693,1,1.01,1.0405],[0.8855,0.9619,1,1.014,1.0532],[0.8775,0.9403,1,1.0203,1.0607],[0.8328,0.907,1,1.0296,1.1085],[0.7839,0.8845,1,1.0391,1.1338],[0.7839,0.8672,1,1.057,1.1338],[0.7464,0.8171,1,1.0689,1.1338],[0.732,0.7853,0.9987,1.0907,1.1338],[0.7,0.7611,0.9735,1.111,1.1676],[0.6523,0.7299,0.9661,1.1299,1.1843],[0.5729,0.6709,0.9277,1.1338,1.2352],[0.4957,0.6064,0.8806,1.1339,1.2764],[0.437,0.5363,0.8261,1.1369,1.3037],[0.3533,0.4445,0.745,1.1219,1.3125],[0.2801,0.3718,0.6692,1.0821,1.2971]]}',
  'buy-the-dip-bitcoin':
    '{"days":[1,2,3,5,7,10,14,21,30,45,60,90,120,180,270,365,545,730],"lines":[[0.9772,1,1,1,1.0093],[0.9691,1,1,1,1.0133],[0.9686,1,1,1,1.0253],[0.9478,0.9976,1,1,1.0321],[0.9383,0.9917,1,1,1.0355],[0.9377,0.9721,1,1.0024,1.0536],[0.9243,0.9686,1,1.0081,1.0883],[0.9088,0.946,1,1.0215,1.1085],[0.8985,0.9383,1,1.0321,1.1338],[0.8807,0.9358,1,1.0432,1.1338],[0.8807,0.9209,1,1.0608,1.1338],[0.8531,0.9057,1,1.0992,1.142],[0.841,0.8807,1,1.0992,1.1541],[0.8104,0.865,0.9856,1.1095,1.1726],[0.7791,0.8313,0.9686,1.1289,1.2307],[0.7451,0.8043,0.955,1.1338,1.2449],[0.6845,0.7527,0.9332,1.1474,1.26],[0.6423,0.7084,0.9077,1.1586,1.2844]]}',
  'even-keel-bitcoin':
    '{"days":[1,2,3,5,7,10,14,21,30,45,60,90,120,180,270,365,545,730],"lines":[[0.9474,0.9744,1.0022,1.03,1.0563],[0.9181,0.9628,1.0027,1.0435,1.0801],[0.8986,0.9515,1.0041,1.0549,1.1018],[0.8888,0.9388,1.0066,1.078,1.1369],[0.8808,0.9275,1.0072,1.1034,1.1646],[0.8684,0.9183,1.0099,1.1379,1.1951],[0.8544,0.9117,1.0163,1.1759,1.248],[0.8004,0.8961,1.0258,1.2298,1.3275],[0.7937,0.8825,1.0362,1.3024,1.4322],[0.773,0.8584,1.0516,1.3896,1.5519],[0.756,0.8402,1.0819,1.468,1.6693],[0.7276,0.8232,1.1358,1.6481,1.9157],[0.7132,0.8227,1.1872,1.8037,2.1792],[0.6726,0.8102,1.3035,2.1821,2.7142],[0.6739,0.8496,1.4936,2.7808,3.582],[0.6879,0.8728,1.7344,3.4997,4.8701],[0.7369,1.0014,2.2721,5.3738,7.8248],[0.7809,1.1463,2.9646,8.3207,12.6306]]}',
  'even-keel-ether':
    '{"days":[1,2,3,5,7,10,14,21,30,45,60,90,120,180,270,365,545,730],"lines":[[0.9551,0.9727,1,1.0372,1.0626],[0.9394,0.961,1.0003,1.0516,1.0942],[0.9312,0.9534,1.0013,1.0641,1.1095],[0.9036,0.9413,1.002,1.0918,1.1501],[0.8947,0.9287,1.0033,1.1159,1.1759],[0.88,0.9185,1.0066,1.1473,1.213],[0.8611,0.9001,1.0113,1.1794,1.2534],[0.8249,0.8824,1.0175,1.2322,1.3513],[0.8055,0.8539,1.0266,1.3073,1.4501],[0.7653,0.8282,1.046,1.3985,1.6257],[0.736,0.8068,1.0656,1.5106,1.7439],[0.6974,0.7825,1.1092,1.7203,2.0305],[0.6615,0.7618,1.1457,1.9009,2.4075],[0.6284,0.7401,1.2349,2.2896,3.0605],[0.5742,0.7239,1.3841,2.8255,4.1137],[0.5338,0.726,1.5451,3.5999,5.3887],[0.5138,0.7537,1.9455,5.4236,8.462],[0.5207,0.7992,2.4592,7.8635,13.582]]}',
}

/** The SHA-256 of each asset's file of daily bars. */
export const TESTED_FILES: Readonly<Record<string, string>> = {
  'sim-alder': '09389f9ad9d8c4465c551ed11c802d12e7564cdd42e6d31b76deccfadebe908f',
  'sim-birch': 'f1ecece7224752d1672a9937e34ee122553074a8c82ca0a411f058b0f3a7d67c',
  'sim-cedar': '2f7f03a57eb90016eabcee532eefea65fd6320f0f6bd3629aea444971e877eb5',
  'sim-dogwood': '855902ada7a9454328dc207772a65ccd9280f4f88ae83ca63d98983e1296a235',
  'sim-flint': '10f97265cc4017ca275555e7fe0a1ed7a433dcdb8f2a751a4388101662464686',
  'sim-granite': 'de5c48fcfb7026212bf732fbfc916f78e11400b0da055e2ab945329f181df68b',
  'sim-slate': '363217b724e80626dfbb969f4a039ca290cf05aeef3680c039051d9bd7b80d4b',
  'sim-index': '2863da46d2dd0f36aa6c0209f09596ef38d9b06f580bfef1e3f586a918c62d0b',
  bitcoin: '373adbcb5a8271cf99f4dc7e2fbbad63a9d398412209e4a998712340f96cd16d',
  ethereum: '8ecb1cab2a4d95c88e3a6531b499e30380d57affce7a47be77e8fcb145b726c1',
  ripple: '677fcd048b5f609b22db0b122626f2fbdf68d78604bb3c55f5a2c6a57ba113f9',
  cardano: '5bd9fe3f054e65e64a7770cc25c0db008a9e653dc082caa2bcf56bb7e17b1e4f',
  solana: 'd2097cb87d826c188661a27fd50374c34009903ba6a977da1941b2d170c818ff',
}
