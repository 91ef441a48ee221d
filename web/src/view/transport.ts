// SPDX-License-Identifier: Apache-2.0
// Play, scrub, speed, loop.
import { h } from '../core/dom';
import { modeText } from '../core/modes';
import { unitFor } from '../core/units';
import { iconButton, setIcon } from '../core/icons';
import { SPEEDS, type Clock } from '../play/clock';

/** As many decimals as tell neighbouring frames apart. */
function timeDecimals(clock: Clock): number {
  const spacing = clock.duration / Math.max(1, clock.frames.length - 1);
  return spacing > 0 ? Math.min(9, Math.max(2, Math.ceil(-Math.log10(spacing)) + 1)) : 2;
}

/** `modes`: the clock shows modes, not seconds. */
export function createTransport(clock: Clock, modes: boolean): HTMLElement {
  const decimals = timeDecimals(clock);
  const last = clock.frames.length - 1;

  const play = iconButton('play', 'Play', 'space');
  play.classList.add('play');
  play.addEventListener('click', () => clock.toggle());
  clock.playing.watch((on) => setIcon(play, on ? 'pause' : 'play', on ? 'Pause' : 'Play', 'space'));

  const previous = iconButton('previous', 'Previous frame', '←');
  previous.addEventListener('click', () => clock.step(-1));
  const next = iconButton('next', 'Next frame', '→');
  next.addEventListener('click', () => clock.step(1));

  const slider = h('input', { type: 'range', min: 0, max: last, step: 1, value: 0, class: 'scrub', 'aria-label': 'Frame' });
  slider.addEventListener('input', () => clock.seekFrame(slider.valueAsNumber));

  const now = h('span', { class: 'now' });
  const readout = h('div', { class: 'readout' }, now, h('span', { class: 'muted' }, modes ? '' : ` / ${clock.end.toFixed(decimals)} ${unitFor('s')}`));
  const frame = h('div', { class: 'readout frame muted' });

  clock.time.watch((time) => {
    const index = clock.frame;
    slider.value = String(index);
    slider.style.setProperty('--progress', last > 0 ? String(index / last) : '0');
    now.textContent = modes ? modeText(time) : time.toFixed(decimals);
    frame.textContent = `frame ${index + 1} / ${last + 1}`;
    slider.setAttribute('aria-valuetext', `${modes ? modeText(time) : `${time.toFixed(decimals)} ${unitFor('s')}`}, frame ${index + 1} of ${last + 1}`);
  });

  const speed = h('select', { 'aria-label': 'Playback speed', title: modes ? 'Modes per second' : `Simulated ${unitFor('s')} per second` });
  for (const value of SPEEDS) speed.append(h('option', { value }, `${value}×`));
  speed.addEventListener('change', () => (clock.speed.value = Number(speed.value)));
  clock.speed.watch((value) => (speed.value = String(value)));

  const loop = iconButton('loop', 'Loop', 'l');
  loop.addEventListener('click', () => (clock.loop.value = !clock.loop.value));
  clock.loop.watch((on) => loop.setAttribute('aria-pressed', String(on)));

  return h(
    'div', { class: 'transport', role: 'group', 'aria-label': 'Playback' },
    h('div', { class: 'button-group' }, previous, play, next),
    slider, h('div', { class: 'readouts' }, readout, frame),
    h('div', { class: 'button-group' }, h('label', { class: 'select' }, speed), loop),
  );
}
