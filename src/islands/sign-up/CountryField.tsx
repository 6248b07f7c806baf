import { SelectField, type SelectFieldProps } from '../../design/SelectField.tsx'
import { useCountries } from './countries.ts'
import { withOwn } from './withOwn.ts'

type CountryFieldProps = Omit<SelectFieldProps, 'label' | 'autoComplete' | 'placeholder' | 'options'> & {
  /** What somebody has given already, which may be none of the choices. */
  own?: string
}

/** A country out of the page's list. */
export function CountryField({ own = '', ...field }: CountryFieldProps) {
  const countries = useCountries()
  return (
    <SelectField
      {...field}
      label="Country"
      autoComplete="country-name"
      placeholder="Choose your country"
      options={withOwn(countries, own)}
    />
  )
}
