import { SelectField, type SelectFieldProps } from '../../../design/SelectField.tsx'
import { byNativeName, useCountries } from './countries.ts'
import { withOwn } from './withOwn.ts'

type CountryFieldProps = Omit<
  SelectFieldProps,
  'label' | 'autoComplete' | 'placeholder' | 'options' | 'group'
> & {
  /** What somebody has given already, which may be none of the choices. */
  own?: string
}

/** A country out of the page's list, found by typing its English name or the one it has at home. */
export function CountryField({ own = '', ...field }: CountryFieldProps) {
  const countries = useCountries()
  return (
    <SelectField
      {...field}
      label="Country"
      autoComplete="country-name"
      placeholder="Choose your country"
      options={withOwn(countries, own)}
      group={{ label: 'By the name at home', options: byNativeName(countries) }}
    />
  )
}
