import { expect } from 'chai';
import { Progress } from '../../../adapters/cli/terminal/progress.js';
import { Captured } from './harness.js';

const CLEAR = '\r\u001b[2K';

function progressOn(output: Captured, size: number | undefined) {
  const time = { now: 0 };
  return { time, progress: new Progress(output, size, 'line', () => time.now) };
}

describe('The progress bar of a command', () => {
  it('draws a bar on a terminal, at most ten times a second', () => {
    const terminal = new Captured(true, 80);
    const { time, progress } = progressOn(terminal, 1000);
    for (time.now = 0; time.now < 1000; time.now += 1) progress.advance(time.now, time.now);
    const bars = terminal.text.split(CLEAR).slice(1);
    expect(bars).to.have.length(9);
    expect(bars[4]).to.match(/^\[#+-+\] {2}50%, 500 lines, 1000 lines\/s$/);
  });

  it('never fills the width of the terminal, and does without a bar on a narrow one', () => {
    for (const columns of [20, 40, 60, 200]) {
      const terminal = new Captured(true, columns);
      const { time, progress } = progressOn(terminal, 1_000_000);
      time.now = 60_000;
      progress.advance(1_000_000, 123_456);
      expect(terminal.text.length - CLEAR.length).to.be.below(columns);
      expect(terminal.text.includes('[#')).to.equal(columns >= 40);
    }
  });

  it('clears the bar at the end, once, and writes lasting lines above it', () => {
    const terminal = new Captured(true);
    const { time, progress } = progressOn(terminal, undefined);
    progress.clear();
    expect(terminal.text).to.equal('');
    time.now = 1000;
    progress.advance(10, 10);
    progress.say('line 1: \u001b[2J');
    progress.clear();
    expect(terminal.text).to.equal(`${CLEAR}10 lines, 10 lines/s${CLEAR}line 1: \\u001b[2J\n`);
  });

  it('writes a plain line about every 5 seconds elsewhere', () => {
    const file = new Captured(false);
    const { time, progress } = progressOn(file, 40_000);
    for (time.now = 0; time.now <= 12_000; time.now += 10) progress.advance(time.now, time.now);
    expect(file.lines()).to.deep.equal([' 12%, 5000 lines, 1000 lines/s', ' 25%, 10000 lines, 1000 lines/s']);
    progress.clear();
    expect(file.text).to.not.contain('\u001b');
  });

  it('counts only where the size is unknown', () => {
    for (const isTTY of [true, false]) {
      const output = new Captured(isTTY);
      const { time, progress } = progressOn(output, undefined);
      time.now = 5000;
      progress.advance(123, 50);
      expect(output.text.replace(CLEAR, '').trim()).to.equal('50 lines, 10 lines/s');
    }
  });
});
