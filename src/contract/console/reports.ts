import * as z from 'zod/mini'
import { findCountryCode } from '../countries.ts'
import { endpoint } from '../endpoint.ts'
import { requiredText } from '../fields.ts'
import { countryField } from '../identity/registration.ts'

const YEAR = 'year is a year from 2020 on'

/** The data about a person that a report lacks. */
export const TAX_GAPS = ['tax details', 'date of birth'] as const

/** The most people without data that are named. */
export const MOST_GAPS = 100

const carfGaps = z.object({
  /** In the report. */
  people: z.number(),
  /** Left out. */
  missing: z.number(),
  gaps: z.array(z.object({ _id: z.string(), name: z.string(), lacks: z.array(z.enum(TAX_GAPS)) })),
})
export type CarfGaps = z.output<typeof carfGaps>

export const getCarfGaps = endpoint('GET', '/operator/reports/carf', 'operator:reports.read', {
  summary:
    'How many people a CARF report of a year has, and whom it leaves out because data about them is missing',
  query: z.object({
    year: z.pipe(z.string({ error: YEAR }).check(z.regex(/^20[2-9]\d$/, YEAR)), z.transform(Number)),
  }),
  answer: carfGaps,
})

const carfRequest = z.object({
  year: z.number({ error: YEAR }).check(z.int(YEAR), z.minimum(2020, YEAR), z.maximum(2099, YEAR)),
  company: requiredText('Please enter the company’s name', 200),
  country: z.pipe(
    countryField(),
    z.transform((country) => findCountryCode(country) ?? ''),
  ),
  city: requiredText('Please enter the company’s city', 120),
  taxNumber: requiredText('Please enter the company’s tax number', 60),
})
/** The fields of the form besides the year. */
export const carfCompany = z.omit(carfRequest, { year: true })
export type CarfRequest = z.output<typeof carfRequest>

export const exportCarf = endpoint('POST', '/operator/reports/carf', 'operator:reports.export', {
  summary:
    'The yearly report to tax authorities in the format of the OECD’s Crypto-Asset Reporting Framework: for each person and coin, deposits and withdrawals of the year',
  body: carfRequest,
  answerType: 'application/xml',
  audit: ['carf.exported'],
})
