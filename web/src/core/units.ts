// SPDX-License-Identifier: Apache-2.0
// What the numbers of the simulation mean. Scenes of molecules are in nm, ps and u, and so in kJ/mol;
// all others are in SI. Wall times are in seconds in any case.

const MOLECULAR: Record<string, string> = {
  s: 'ps', m: 'nm', 'm/s': 'nm/ps', J: 'kJ/mol', N: 'kJ/mol/nm', Pa: 'kJ/mol/nm^3', 'J/m^3': 'kJ/mol/nm^3',
  'kg/m^3': 'u/nm^3', '1/s': '1/ps', 'kg*m/s': 'u*nm/ps', 'kg*m^2/s': 'u*nm^2/ps',
};

let system: Record<string, string> = {};

/** The name a scene gives its units; anything but "md" is SI. */
export function useUnits(name: string | null): void {
  system = name === 'md' ? MOLECULAR : {};
}

/** The unit that stands where SI has this one. */
export function unitFor(si: string): string {
  return system[si] ?? si;
}
