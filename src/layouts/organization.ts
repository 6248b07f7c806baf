import { site } from '../site.ts'

const { company } = site

/** Who is behind the site, in schema.org's words: only what was provided. https://schema.org/Organization */
export const organization = {
  '@type': 'Organization',
  '@id': `${site.origin}/#organization`,
  name: site.brand,
  url: `${site.origin}/`,
  logo: `${site.origin}/icon-512.png`,
  description: site.description,
  email: site.supportEmail,
  ...(company.name && { legalName: company.name }),
  ...(company.registration && { identifier: company.registration }),
  ...(company.address && { address: company.address }),
}
