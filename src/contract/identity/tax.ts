import * as z from 'zod/mini'
import { isoTime } from '../common.ts'
import { findCountryCode } from '../countries.ts'
import { endpoint } from '../endpoint.ts'
import { optionalText, requiredText } from '../fields.ts'
import { countryField } from './registration.ts'

/** A country as its two-letter code. Takes what `countryField` takes. */
const countryCode = z.pipe(
  countryField(),
  z.transform((country) => findCountryCode(country) ?? ''),
)

/** Where somebody pays taxes. Names are as on the identity document, apart as tax authorities ask for them. */
const taxDetails = z.object({
  firstName: requiredText('Please enter your first name', 120),
  lastName: requiredText('Please enter your last name', 120),
  street: optionalText(200),
  postCode: optionalText(40),
  city: requiredText('Please enter your city', 120),
  country: countryCode,
  /** Blank if the country gives its residents no number. */
  taxNumber: optionalText(60),
})
export type TaxDetails = z.output<typeof taxDetails>

export const getTaxDetails = endpoint('GET', '/users/tax-details', 'signed-in', {
  summary: 'Where the caller pays taxes; null until they have said so',
  answer: z.object({ details: z.nullable(taxDetails), changedAt: z.nullable(isoTime) }),
})

export const saveTaxDetails = endpoint('POST', '/users/tax-details', 'signed-in', {
  summary:
    'Say where you pay taxes, for the yearly report to tax authorities. Stored encrypted; replaces what was said before',
  body: taxDetails,
  answer: z.object({ msg: z.string() }),
  limit: { name: 'tax-details', per: 'account', max: 30, windowSeconds: 3600 },
})
