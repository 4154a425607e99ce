import { mount } from 'svelte';
import './app.css';
import App from './App.svelte';
import { Client } from './client.svelte.ts';

const target = document.querySelector('#app');
if (target === null) throw new Error('The page has no place for the app.');
const client = new Client(window.holdfast);
mount(App, { target, props: { client } });
void client.start();
