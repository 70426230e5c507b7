#!/usr/bin/env node
import { main } from 'automation-marketplace/program';
await main(process.argv.slice(2));
