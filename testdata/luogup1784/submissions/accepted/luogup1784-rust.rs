// Luogu P1784: fills a Sudoku
// https://www.luogu.com.cn/problem/P1784
// Language: Rust
// Made by `judge bundle luogup1784 --to rust` from commit 917e93f9
// Licence: MIT OR Apache-2.0
fn main()->std::process::ExitCode{crate::luogup1784::run(crate::sudoku::engine::nine::Bands)}mod luogup1784{use crate::program::NO_SOLUTION;use std::process::ExitCode;
use crate::sudoku::engine::Engine;use crate::sudoku::notation::Notation;pub fn run(mut engine:impl Engine<9>)->ExitCode{crate::program::run(|input,output|{let puzzle=input.only_grid(Notation::SPACED)?;
let solution=engine.first(&puzzle).ok_or(NO_SOLUTION)?;Ok(output.grid(Notation::SPACED,&solution)?)})}}mod sudoku{pub mod engine{pub mod big{mod search{}}pub mod constraints{mod table{}
}mod houses{mod map{}}pub mod nine{mod bands{use super::{Bytes,values,values_mut};use crate::sudoku::engine::{Checked,Method,Statistics,Visitor};use crate::sudoku::grid::Grid;
use core::ops::ControlFlow;#[derive(Clone,Copy,Default,Debug)]pub struct Bands;impl Method<9>for Bands{fn search(&mut self,puzzle:Checked<'_,9>,visit:&mut Visitor<'_,
9>,)->Statistics{let mut statistics=Statistics::default();if let Some(mut state)=State::read(values(puzzle.grid())){let _=state.search(visit,&mut statistics);}statistics}
fn allows(&self,_:&Grid<9>)->bool{true}}const BAND:u32=0x7ff_ffff;const ROW:u32=0x1ff;const BOXES:[u32;3]=[0o007_007_007,0o070_070_070,0o700_700_700];const STACKS:[u8;
512]={let mut table=[0;512];let mut cells=0;while cells<512{let mut stack=0;while stack<3{if cells>>(3*stack)&7!=0{table[cells]|=1<<stack;}stack+=1;}cells+=1;}table}
;const POSSIBLE:[u32;512]={const WAYS:[usize;6]=[0o421,0o241,0o412,0o142,0o214,0o124];let mut table=[0;512];let mut minis=0;while minis<512{let mut way=0;while way<6{if minis&WAYS[way]==WAYS[way]{let mut mini=0;
while mini<9{if WAYS[way]>>mini&1!=0{table[minis]|=7<<(3*mini);}mini+=1;}}way+=1;}minis+=1;}table};const OTHER_BANDS:[u32;512]={let mut table=[0;512];let mut columns=0usize;
while columns<512{let mut gone=0;let mut stack=0;while stack<3{let part=columns&(7<<(3*stack));if part&part.wrapping_sub(1)==0{gone|=part as u32;}stack+=1;}table[columns]=BAND&!(gone|gone<<9|gone<<18);
columns+=1;}table};const AROUND:[u32;27]={let mut table=[0;27];let mut cell=0;while cell<27{let seen=ROW<<(cell/9*9)|BOXES[cell%9/3];table[cell]=BAND&!seen|1<<cell;
cell+=1;}table};#[derive(Clone,Copy)]struct State{cells:[[u32;9];3],seen:[[u32;9];3],open:[u32;3],pairs:[u32;3],}struct Dead;impl State{fn read(puzzle:&Bytes)->Option<Self>{let mut state=State{cells:[[BAND;
9];3],seen:[[0;9];3],open:[BAND;3],pairs:[0;3],};let mut givens=[[0;9];3];for band in 0..3{for cell in 0..27{let value=puzzle[27*band+cell]as usize;if value==0{continue;
}if value>9||state.cells[band][value-1]>>cell&1==0{return None;}givens[band][value-1]|=1<<cell;state.open[band]&=!(1<<cell);state.place(band,value-1,cell);}}for band in 0..3{for digit in 0..9{state.cells[band][digit]&=state.open[band]|givens[band][digit];
}}Some(state)}#[inline(always)]fn place(&mut self,band:usize,digit:usize,cell:usize){let column=0o001_001_001<<(cell%9);self.cells[band][digit]&=AROUND[cell];self.cells[(band+1)%3][digit]&=!column;
self.cells[(band+2)%3][digit]&=!column;}fn search(&mut self,visit:&mut Visitor<'_,9>,statistics:&mut Statistics,)->ControlFlow<()>{statistics.nodes+=1;if self.settle().is_err(){return ControlFlow::Continue(());
}if self.open==[0;3]{return visit(&self.write());}let(band,cell)=self.choose();for digit in 0..9{if self.cells[band][digit]>>cell&1==0{continue;}let mut guessed=*self;
for other in 0..9{guessed.cells[band][other]&=!(1<<cell);}guessed.cells[band][digit]|=1<<cell;guessed.place(band,digit,cell);let candidates=(0..9).filter(|&d|self.cells[band][d]>>cell&1!=0);
statistics.guesses+=u64::from(candidates.count()>1);guessed.search(visit,statistics)?;self.cells[band][digit]&=!(1<<cell);}ControlFlow::Continue(())}fn settle(&mut self)->Result<(),
Dead>{loop{let mut changed=true;while changed{changed=false;for digit in 0..9{changed|=self.look_again::<0>(digit)?;changed|=self.look_again::<1>(digit)?;changed|=self.look_again::<2>(digit)?;
}}if self.open==[0;3]||!self.place_singles()?{return Ok(());}}}#[inline(always)]fn look_again<const B:usize>(&mut self,digit:usize,)->Result<bool,Dead>{let band=B;
let cells=self.cells[band][digit];if cells==self.seen[band][digit]{return Ok(false);}let minis=STACKS[(cells&ROW)as usize]as usize|(STACKS[(cells>>9&ROW)as usize]as usize)<<3|(STACKS[(cells>>18&ROW)as usize]as usize)<<6;
let cells=cells&POSSIBLE[minis&511];if cells==0{return Err(Dead);}self.cells[band][digit]=cells;self.seen[band][digit]=cells;let columns=(cells|cells>>9|cells>>18)&ROW;
let others=OTHER_BANDS[columns as usize];self.cells[(band+1)%3][digit]&=others;self.cells[(band+2)%3][digit]&=others;let mut decided=0;for block in&BOXES{let inside=cells&block;
if inside&inside.wrapping_sub(1)==0{decided|=inside;}}if decided&self.open[band]!=0{self.open[band]&=!decided;for other in 0..9{self.cells[band][other]&=!decided;
}self.cells[band][digit]|=decided;}Ok(true)}fn place_singles(&mut self)->Result<bool,Dead>{let mut any=false;for band in 0..3{let(mut once,mut twice,mut thrice)=(0,
0,0);for&cells in&self.cells[band]{thrice|=twice&cells;twice|=once&cells;once|=cells;}if once!=BAND{return Err(Dead);}self.pairs[band]=twice&!thrice;let mut singles=!twice&self.open[band];
self.open[band]&=!singles;while singles!=0{any=true;let cell=singles.trailing_zeros()as usize;singles&=singles-1;for digit in 0..9{if self.cells[band][digit]>>cell&1!=0{self.place(band,
digit,cell);break;}}}}Ok(any)}fn choose(&self)->(usize,usize){for cells in[&self.pairs,&self.open]{for band in 0..3{if cells[band]!=0{return(band,cells[band].trailing_zeros()as usize);
}}}unreachable!("a guess is made in a state with an open cell")}fn write(&self)->Grid<9>{let mut grid=Grid::EMPTY;let values=values_mut(&mut grid);for band in 0..3{for digit in 0..9{let mut cells=self.cells[band][digit];
while cells!=0{values[27*band+cells.trailing_zeros()as usize]=digit as u8+1;cells&=cells-1;}}}grid}}}mod layout{}mod rules{}pub(crate)use bands::Bands;use crate::sudoku::grid::Grid;
type Bytes=[u8;81];#[inline(always)]fn values(grid:&Grid<9>)->&Bytes{match grid.values().first_chunk(){Some(values)=>values,None=>unreachable!("a 9x9 grid has 81 cells"),
}}#[inline(always)]fn values_mut(grid:&mut Grid<9>)->&mut Bytes{match grid.rows_mut().as_flattened_mut().first_chunk_mut(){Some(values)=>values,None=>unreachable!("a 9x9 grid has 81 cells"),
}}}use crate::sudoku::grid::Grid;use core::ops::{AddAssign,ControlFlow};#[derive(Clone,Copy,PartialEq,Eq,Default,Debug)]pub struct Statistics{pub nodes:u64,pub guesses:u64,
}impl AddAssign for Statistics{fn add_assign(&mut self,other:Self){self.nodes+=other.nodes;self.guesses+=other.guesses;}}pub trait Method<const N:usize>:Send{fn search(&mut self,
puzzle:Checked<'_,N>,visit:&mut Visitor<'_,N>,)->Statistics;fn allows(&self,puzzle:&Grid<N>)->bool{crate::sudoku::rules::allows_classic(puzzle)}}pub trait Engine<const N:usize>:Method<N>{fn for_each(&mut self,
puzzle:&Grid<N>,mut visit:impl FnMut(&Grid<N>)->ControlFlow<()>,)->Statistics{if self.allows(puzzle){self.search(Checked(puzzle),&mut visit)}else{Statistics::default()}
}fn first(&mut self,puzzle:&Grid<N>)->Option<Grid<N> >{let mut found=None;self.for_each(puzzle,|solution|{found=Some(*solution);ControlFlow::Break(())},);found}}
impl<const N:usize,M:Method<N>+?Sized>Engine<N>for M{}macro_rules!forward{($($pointer:ty),*)=>{$(impl<const N:usize,M:Method<N>+?Sized>Method<N>for$pointer{fn search(&mut self,
puzzle:Checked<'_,N>,visit:&mut Visitor<'_,N>)->Statistics{(**self).search(puzzle,visit)}fn allows(&self,puzzle:&Grid<N>)->bool{(**self).allows(puzzle)}})*};}forward!(&mut M,
Box<M>);#[derive(Clone,Copy,Debug)]pub struct Checked<'a,const N:usize>(&'a Grid<N>);impl<'a,const N:usize>Checked<'a,N>{pub fn grid(self)->&'a Grid<N>{self.0}}pub type Visitor<'a,
const N:usize> =dyn FnMut(&Grid<N>,)->ControlFlow<()>+'a;}pub mod generate{mod fill{}}pub mod grid{use core::fmt;use core::num::NonZeroU8;use core::ops::Index;pub const MAX_SIDE:usize=36;
#[derive(Clone,Copy,PartialEq,Eq,PartialOrd,Ord,Hash)]pub struct Digit<const N:usize>(NonZeroU8);impl<const N:usize>Digit<N>{pub const fn new(value:u8)->Option<Self>{if value as usize>N{return None;
}match NonZeroU8::new(value){Some(value)=>Some(Digit(value)),None=>None,}}pub const fn from_index(index:usize)->Self{assert!(index<N,"a digit's index must be below N");
match Self::new(index as u8+1){Some(digit)=>digit,None=>panic!("a digit's index must be below N"),}}pub const fn value(self)->u8{self.0.get()}pub const fn index(self)->usize{self.0.get()as usize-1}
pub fn all()->impl DoubleEndedIterator<Item=Self>+ExactSizeIterator{(0..N).map(Self::from_index)}}impl<const N:usize>fmt::Display for Digit<N>{fn fmt(&self,f:&mut fmt::Formatter<'_>)->fmt::Result{self.value().fmt(f)}
}impl<const N:usize>fmt::Debug for Digit<N>{fn fmt(&self,f:&mut fmt::Formatter<'_>)->fmt::Result{self.value().fmt(f)}}#[derive(Clone,Copy,PartialEq,Eq,Debug)]pub struct InvalidDigit{pub value:u8,
pub max:u8,}impl fmt::Display for InvalidDigit{fn fmt(&self,f:&mut fmt::Formatter<'_>)->fmt::Result{let InvalidDigit{value,max}=self;write!(f,"found {value}, expected a digit from 1 to {max}")}
}impl std::error::Error for InvalidDigit{}impl<const N:usize>TryFrom<u8>for Digit<N>{type Error=InvalidDigit;fn try_from(value:u8)->Result<Self,InvalidDigit>{let max=N as u8;
Digit::new(value).ok_or(InvalidDigit{value,max})}}impl<const N:usize>From<Digit<N> >for u8{fn from(digit:Digit<N>)->u8{digit.value()}}#[derive(Clone,Copy,PartialEq,
Eq,PartialOrd,Ord,Hash)]pub struct Cell<const N:usize>{row:u8,column:u8,}impl<const N:usize>Cell<N>{pub const fn new(row:usize,column:usize)->Option<Self>{if row<N&&column<N{Some(Cell{row:row as u8,
column:column as u8,})}else{None}}pub const fn at(row:usize,column:usize)->Self{match Self::new(row,column){Some(cell)=>cell,None=>panic!("a cell's row and column must be below N"),
}}pub const fn row(self)->usize{self.row as usize}pub const fn column(self)->usize{self.column as usize}}impl<const N:usize>fmt::Display for Cell<N>{fn fmt(&self,
f:&mut fmt::Formatter<'_>)->fmt::Result{write!(f,"r{}c{}",self.row+1,self.column+1)}}impl<const N:usize>fmt::Debug for Cell<N>{fn fmt(&self,f:&mut fmt::Formatter<'_>)->fmt::Result{fmt::Display::fmt(self,
f)}}#[derive(Clone,Copy,PartialEq,Eq,PartialOrd,Ord,Hash)]pub struct Grid<const N:usize>{rows:[[u8;N];N],}impl<const N:usize>Grid<N>{pub const EMPTY:Self={assert!(N>=1&&N<=MAX_SIDE,
"the side of a grid must be from 1 to 36",);Grid{rows:[[0;N];N]}};pub const fn rows(&self)->&[[u8;N];N]{&self.rows}pub const fn values(&self)->&[u8]{self.rows.as_flattened()}
pub const fn rows_mut(&mut self)->&mut[[u8;N];N]{&mut self.rows}}impl<const N:usize>Index<Cell<N> >for Grid<N>{type Output=Option<Digit<N> >;fn index(&self,cell:Cell<N>)->&Option<Digit<N> >{let contents=const{let mut contents:[Option<Digit<N> >;
MAX_SIDE+1]=[None;MAX_SIDE+1];let mut value=1;while value<=N{contents[value]=Digit::new(value as u8);value+=1;}&{contents}};&contents[self.rows[cell.row()][cell.column()]as usize]}
}impl<const N:usize>Default for Grid<N>{fn default()->Self{Self::EMPTY}}impl<const N:usize>fmt::Display for Grid<N>{fn fmt(&self,f:&mut fmt::Formatter<'_>)->fmt::Result{for(index,
&value)in self.values().iter().enumerate(){match value{_ if N>26&&index>0=>write!(f," {value}")?,_ if N>26=>write!(f,"{value}")?,0=>f.write_str(".")?,1..=9 if N<=9=>write!(f,
"{value}")?,_=>write!(f,"{}",char::from(b'A'+value-1))?,}}Ok(())}}impl<const N:usize>fmt::Debug for Grid<N>{fn fmt(&self,f:&mut fmt::Formatter<'_>)->fmt::Result{for row in&self.rows{f.write_str("\n")?;
for&value in row{match value{0=>f.write_str("  .")?,_=>write!(f,"{value:>3}")?,}}}Ok(())}}}pub mod notation{mod error{use super::symbols::{MAX_SYMBOLS,first_symbol}
;use core::fmt;use std::io;#[derive(Clone,PartialEq,Eq,Debug)]pub enum Found{EndOfInput,EndOfLine,Byte(u8),Word(String),}const WORD_CHARS:usize=32;impl Found{pub(super)fn word(word:&str)->Self{Found::Word(word.chars().take(WORD_CHARS).collect())}
}impl fmt::Display for Found{fn fmt(&self,f:&mut fmt::Formatter<'_>)->fmt::Result{match self{Found::EndOfInput=>f.write_str("the end of the input"),Found::EndOfLine=>f.write_str("the end of the line"),
Found::Byte(b' ')=>f.write_str("a blank"),Found::Byte(byte)if byte.is_ascii_graphic()=>{write!(f,"'{}'",char::from(*byte))}Found::Byte(byte)=>write!(f,"the byte 0x{byte:02x}"),
Found::Word(word)=>write!(f,"'{word}'"),}}}#[derive(Clone,PartialEq,Eq,Debug)]pub enum Expected{Words(&'static str,[usize;3]),Symbol{side:usize,row:usize,column:usize}
,Keyword(String),}impl Expected{pub(super)fn plain(words:&'static str)->Self{Expected::Words(words,[0;3])}}impl fmt::Display for Expected{fn fmt(&self,f:&mut fmt::Formatter<'_>)->fmt::Result{match self{Expected::Words(words,
numbers)=>{let mut numbers=numbers.iter();for(index,piece)in words.split("{}").enumerate(){if index>0{numbers.next().map_or(Ok(()),|number|number.fmt(f))?;}f.write_str(piece)?;
}Ok(())}Expected::Symbol{side,row,column}=>{write!(f,"cell {} of row {}: ",column+1,row+1)?;if*side>MAX_SYMBOLS{write!(f,"a number from 1 to {side}")?;}else{let first=first_symbol(*side);
let last=(first-1).saturating_add(*side as u8);write!(f,"'{}' to '{}'",char::from(first),char::from(last),)?;}f.write_str(", or '.', '0', '-', '*' or '?' for an empty cell",
)}Expected::Keyword(word)=>write!(f,"'{word}'"),}}}#[derive(Clone,PartialEq,Eq,Debug)]pub struct ParseError{pub line:u64,pub column:u64,pub found:Found,pub expected:Expected,
}impl fmt::Display for ParseError{fn fmt(&self,f:&mut fmt::Formatter<'_>)->fmt::Result{write!(f,"line {}, column {}: found {}, expected {}",self.line,self.column,
self.found,self.expected,)}}impl std::error::Error for ParseError{}#[derive(Debug)]pub enum ReadError{Io(io::Error),Parse(ParseError),}impl fmt::Display for ReadError{fn fmt(&self,
f:&mut fmt::Formatter<'_>)->fmt::Result{match self{ReadError::Io(error)=>{write!(f,"failed to read the input: {error}")}ReadError::Parse(error)=>error.fmt(f),}}}
impl std::error::Error for ReadError{fn source(&self)->Option<&(dyn std::error::Error+'static)>{match self{ReadError::Io(error)=>Some(error),ReadError::Parse(_)=>None,
}}}impl From<io::Error>for ReadError{fn from(error:io::Error)->Self{ReadError::Io(error)}}impl From<ParseError>for ReadError{fn from(error:ParseError)->Self{ReadError::Parse(error)}
}}mod input{use super::error::{Expected,Found,ParseError,ReadError};use super::{BUFFER_BYTES,FIRST_BYTES};use std::io::{self,Read};pub(super)const MAX_WORD_BYTES:usize=4096;
pub struct Input<R>{source:R,buffer:Vec<u8>,pub(super)next:usize,filled:usize,before:u64,line:u64,line_start:u64,}#[derive(Clone,Copy)]pub(super)struct Position{pub(super)line:u64,
pub(super)column:u64,}pub(super)fn is_blank(byte:u8)->bool{matches!(byte,b' '|b'\t'|b'\r'|0x0b|0x0c|0x1a)}impl<R:Read>Input<R>{pub fn new(source:R)->Self{Input{source,
buffer:vec![0;FIRST_BYTES],next:0,filled:0,before:0,line:1,line_start:0,}}pub fn starts_with(&mut self,byte:u8)->Result<bool,ReadError>{Ok(self.skip_blanks()?&&self.peek()?==Some(byte))}
pub fn end(&mut self)->Result<(),ReadError>{if self.skip_blanks()?{let found=self.found()?;return Err(self.error(found,Expected::plain("the end of the input")),);
}Ok(())}pub(super)fn skip_blanks(&mut self)->Result<bool,ReadError>{while let Some(byte)=self.peek()?{if byte==0xef&&self.offset()==0{self.skip_byte_order_mark()?;
}else if is_blank(byte)||byte==b'\n'{self.bump();}else{return Ok(true);}}Ok(false)}fn skip_byte_order_mark(&mut self)->Result<(),ReadError>{for&byte in b"\xef\xbb\xbf"{if self.peek()?!=Some(byte){let found=self.found()?;
let expected=Expected::plain("the rest of a byte-order mark",);return Err(self.error(found,expected));}self.bump();}self.line_start=self.offset();Ok(())}pub(super)fn end_row(&mut self,
expected:Expected,)->Result<(),ReadError>{while let Some(byte)=self.peek()?{if byte==b'\n'{self.bump();break;}if!is_blank(byte){return Err(self.error(Found::Byte(byte),
expected));}self.bump();}Ok(())}pub(super)fn word_up_to(&mut self,most:usize,)->Result<String,ReadError>{let mut word=String::new();let mut bytes=0_usize;while let Some(byte)=self.peek()?{if is_blank(byte)||byte==b'\n'{break;
}if bytes<=most{let printable=byte.is_ascii_graphic()&&bytes<most;bytes+=1;word.push(if printable{char::from(byte)}else{char::REPLACEMENT_CHARACTER},);}self.bump();
}Ok(word)}#[inline]pub(super)fn peek(&mut self)->Result<Option<u8>,ReadError>{if self.next==self.filled&&!self.fill()?{return Ok(None);}Ok(Some(self.buffer[self.next]))}
#[inline]pub(super)fn bump(&mut self){let byte=self.buffer[self.next];self.next+=1;if byte==b'\n'{self.start_line();}}#[inline]pub(super)fn buffered(&self)->&[u8]{&self.buffer[self.next..self.filled]}
#[inline]pub(super)fn take_line(&mut self,bytes:usize){self.next+=bytes;self.start_line();}#[inline]fn start_line(&mut self){self.line+=1;self.line_start=self.offset();
}#[inline(never)]fn fill(&mut self)->Result<bool,ReadError>{if self.filled==self.buffer.len(){self.buffer.resize(BUFFER_BYTES,0);}self.before+=self.filled as u64;
self.next=0;self.filled=0;loop{match self.source.read(&mut self.buffer){Ok(bytes)=>{self.filled=bytes;return Ok(bytes>0);}Err(error)if error.kind()==io::ErrorKind::Interrupted=>{}
Err(error)=>return Err(error.into()),}}}fn offset(&self)->u64{self.before+self.next as u64}pub(super)fn position(&self)->Position{Position{line:self.line,column:self.offset()-self.line_start+1,
}}pub(super)fn found(&mut self)->Result<Found,ReadError>{Ok(match self.peek()?{None=>Found::EndOfInput,Some(b'\n'|b'\r')=>Found::EndOfLine,Some(byte)=>Found::Byte(byte),
},)}pub(super)fn error(&self,found:Found,expected:Expected,)->ReadError{error_at(self.position(),found,expected)}}pub(super)fn error_at(position:Position,found:Found,
expected:Expected,)->ReadError{ReadError::Parse(ParseError{line:position.line,column:position.column,found,expected,})}}mod output{use super::symbols::{MAX_SYMBOLS,
symbol_of};use super::{BUFFER_BYTES,FIRST_BYTES,Layout,Notation};use crate::sudoku::grid::Grid;use std::io::{self,Write};pub struct Output<W:Write>{sink:W,buffer:Vec<u8>,
filled:usize,}impl<W:Write>Output<W>{pub fn new(sink:W)->Self{Output{sink,buffer:vec![0;FIRST_BYTES],filled:0,}}pub fn grid<const N:usize>(&mut self,notation:Notation,
grid:&Grid<N>,)->io::Result<()>{self.make_room(longest::<N>(notation.layout))?;self.filled+=put(notation,grid,&mut self.buffer[self.filled..]);Ok(())}pub fn flush(&mut self)->io::Result<()>{self.empty_buffer()?;
self.sink.flush()}pub fn finish(mut self)->io::Result<()>{self.flush()}fn make_room(&mut self,bytes:usize)->io::Result<()>{if self.buffer.len()-self.filled<bytes{self.buffer.resize(BUFFER_BYTES,
0);}if BUFFER_BYTES-self.filled<bytes{self.empty_buffer()?;}Ok(())}fn empty_buffer(&mut self)->io::Result<()>{let filled=core::mem::replace(&mut self.filled,0);self.sink.write_all(&self.buffer[..filled])}
}impl<W:Write>Drop for Output<W>{fn drop(&mut self){let _=self.flush();}}pub(super)const fn longest<const N:usize>(layout:Layout)->usize{match layout{Layout::Line|Layout::Rows if N>MAX_SYMBOLS=>N*N*3,
Layout::Spaced=>N*N*3,Layout::Line=>N*N+1,Layout::Rows=>N*(N+1),Layout::Brackets=>N*(3*N+2)+3,}}pub(super)fn put<const N:usize>(notation:Notation,grid:&Grid<N>,bytes:&mut[u8],
)->usize{let empty=notation.empty;match notation.layout{Layout::Line if N>MAX_SYMBOLS=>{put_numbers(grid,empty,bytes,b' ')}Layout::Line=>{put_symbols::<N>(bytes,
grid.values(),empty);bytes[N*N]=b'\n';N*N+1}Layout::Rows if N<=MAX_SYMBOLS=>{for(line,row)in bytes.chunks_exact_mut(N+1).zip(grid.rows()){put_symbols::<N>(line,row,
empty);line[N]=b'\n';}N*(N+1)}Layout::Spaced if N<=9=>{for(line,row)in bytes.chunks_exact_mut(2*N).zip(grid.rows()){for(pair,&value)in line.chunks_exact_mut(2).zip(row){pair[0]=symbol_of::<N>(value,
empty);pair[1]=b' ';}line[2*N-1]=b'\n';}2*N*N}Layout::Spaced|Layout::Rows=>{put_numbers(grid,empty,bytes,b'\n')}Layout::Brackets=>put_brackets(grid,empty,bytes),
}}#[inline]fn put_symbols<const N:usize>(line:&mut[u8],values:&[u8],empty:u8){for(byte,&value)in line.iter_mut().zip(values){*byte=symbol_of::<N>(value,empty);}}
fn put_numbers<const N:usize>(grid:&Grid<N>,empty:u8,bytes:&mut[u8],row_end:u8,)->usize{let mut length=0;for row in grid.rows(){for&value in row{length+=put_number(value,
empty,&mut bytes[length..]);bytes[length]=b' ';length+=1;}bytes[length-1]=row_end;}bytes[length-1]=b'\n';length}fn put_number(value:u8,empty:u8,bytes:&mut[u8])->usize{let tens=usize::from(value>9);
if tens>0{bytes[0]=b'0'+value/10;}bytes[tens]=if value==0{empty}else{b'0'+value%10};tens+1}fn put_brackets<const N:usize>(grid:&Grid<N>,empty:u8,bytes:&mut[u8],)->usize{bytes[0]=b'[';
let mut length=1;for row in grid.rows(){bytes[length]=b'[';length+=1;for&value in row{if const{N>MAX_SYMBOLS}{length+=put_number(value,empty,&mut bytes[length..]);
}else{bytes[length]=symbol_of::<N>(value,empty);length+=1;}bytes[length]=b',';length+=1;}bytes[length-1]=b']';bytes[length]=b',';length+=1;}bytes[length-1]=b']';
bytes[length]=b'\n';length+1}}mod read{use super::error::{Expected,Found,ReadError};use super::input::{Input,MAX_WORD_BYTES,Position,error_at,is_blank};use super::symbols::{MAX_SYMBOLS,
NO_SYMBOL,is_empty_mark,table,value_of,values,};use super::{Layout,Notation};use crate::sudoku::grid::Grid;use std::io::Read;type Row<const N:usize> =[u8;N];impl<R:Read>Input<R>{pub fn grid<const N:usize>(&mut self,
notation:Notation,)->Result<Option<Grid<N> >,ReadError>{grid(self,notation)}pub fn expect_grid<const N:usize>(&mut self,notation:Notation,)->Result<Grid<N>,ReadError>{self.grid(notation)?.ok_or_else(| |{self.error(Found::EndOfInput,
shape(N,notation.layout))})}pub fn only_grid<const N:usize>(&mut self,notation:Notation,)->Result<Grid<N>,ReadError>{let grid=self.expect_grid(notation)?;self.end()?;
Ok(grid)}}fn grid<const N:usize,R:Read>(input:&mut Input<R>,notation:Notation,)->Result<Option<Grid<N> >,ReadError>{let mut grid=Grid::EMPTY;if notation.layout==Layout::Line&&fast_line(input,
&mut grid){return Ok(Some(grid));}if!input.skip_blanks()?{return Ok(None);}match notation.layout{Layout::Line=>line(input,&mut grid)?,Layout::Rows=>rows(input,&mut grid,
fast_row,symbol_row)?,Layout::Spaced=>{rows(input,&mut grid,fast_spaced_row,spaced_row)?}Layout::Brackets=>brackets(input,&mut grid)?,}Ok(Some(grid))}pub(super)fn shape(n:usize,
layout:Layout)->Expected{match layout{Layout::Line=>{Expected::Words("a grid: one line of {} cells",[n*n,0,0])}Layout::Rows=>{Expected::Words("a grid: {} rows of {} cells",
[n,n,0])}Layout::Spaced=>{Expected::Words("a grid: {} rows of {} numbers with blanks between",[n,n,0],)}Layout::Brackets=>{Expected::Words("a grid: '[' and {} rows of {} cells, each in brackets",
[n,n,0],)}}}#[inline]fn fast_line<const N:usize,R:Read>(input:&mut Input<R>,grid:&mut Grid<N>,)->bool{if N>MAX_SYMBOLS||input.buffered().get(N*N)!=Some(&b'\n'){return false;
}let cells=grid.rows_mut().as_flattened_mut();if!values::<N>(&input.buffered()[..N*N],cells){return false;}input.take_line(N*N+1);true}struct Table<const N:usize>;
impl<const N:usize>Table<N>{const VALUES:[u8;256]=table::<N>();}#[inline]fn fast_row<const N:usize,R:Read>(input:&mut Input<R>,row:&mut Row<N>,)->bool{let bytes=match input.buffered().get(..N+1){Some(bytes)if N<=MAX_SYMBOLS&&bytes[N]==b'\n'=>bytes,
_=>return false,};if N>=16{if!values::<N>(&bytes[..N],row){return false;}}else{let table=&Table::<N>::VALUES;let mut all=0;for(cell,&byte)in row.iter_mut().zip(bytes){*cell=table[byte as usize];
all|=*cell;}if all&NO_SYMBOL!=0{return false;}}input.take_line(N+1);true}#[inline]fn fast_spaced_row<const N:usize,R:Read>(input:&mut Input<R>,row:&mut Row<N>,)->bool{if N>9{return false;
}let bytes=input.buffered();let length=match(bytes.get(2*N-1),bytes.get(2*N)){(Some(b'\n'),_)=>2*N,(Some(b' '),Some(b'\n'))=>2*N+1,_=>return false,};let bytes=&bytes[..2*N];
let table=&Table::<N>::VALUES;let mut all=0;let mut blanks=0;for(cell,pair)in row.iter_mut().zip(bytes.chunks_exact(2)){*cell=table[pair[0]as usize];all|=*cell;blanks+=u32::from(pair[1]==b' ');
}if all&NO_SYMBOL!=0||(blanks as usize)<length-N-1{return false;}input.take_line(length);true}fn rows<const N:usize,R:Read>(input:&mut Input<R>,grid:&mut Grid<N>,
fast:impl Fn(&mut Input<R>,&mut Row<N>)->bool,slow:impl Fn(&mut Input<R>,&mut Row<N>,usize)->Result<(),ReadError>,)->Result<(),ReadError>{let first_line=input.position().line;
for(index,row)in grid.rows_mut().iter_mut().enumerate(){if fast(input,row){continue;}if!input.skip_blanks()?{let expected=Expected::Words("row {} of the {} rows of the grid that begins in line {}",
[index+1,N,first_line as usize],);return Err(input.error(Found::EndOfInput,expected));}slow(input,row,index)?;}Ok(())}fn symbol_row<const N:usize,R:Read>(input:&mut Input<R>,
row:&mut Row<N>,index:usize,)->Result<(),ReadError>{for(column,cell)in row.iter_mut().enumerate(){*cell=symbol::<N,R>(input,index,column)?;}input.end_row(Expected::Words("the end of row {} after its {} cells",
[index+1,N,0],),)}fn line<const N:usize,R:Read>(input:&mut Input<R>,grid:&mut Grid<N>,)->Result<(),ReadError>{for(index,row)in grid.rows_mut().iter_mut().enumerate(){for(column,
cell)in row.iter_mut().enumerate(){*cell=symbol::<N,R>(input,index,column)?;}}input.end_row(Expected::Words("the end of the line after {} cells",[N*N,0,0],),)}fn plain_row<const N:usize>(word:&str,
row:&mut Row<N>,index:usize,position:Position,)->Result<(),ReadError>{for(column,(cell,byte))in row.iter_mut().zip(word.bytes()).enumerate(){let(value,is_symbol)=value_of::<N>(byte);
if!is_symbol{let position=Position{column:position.column+column as u64,..position};let expected=expected_symbol(N,index,column);return Err(error_at(position,Found::Byte(byte),
expected));}*cell=value;}Ok(())}fn symbol<const N:usize,R:Read>(input:&mut Input<R>,row:usize,column:usize,)->Result<u8,ReadError>{if const{N>MAX_SYMBOLS}{return number(input,
N,row,column);}if let Some(byte)=input.peek()?{let(value,is_symbol)=value_of::<N>(byte);if is_symbol{input.bump();return Ok(value);}}let found=input.found()?;Err(input.error(found,
expected_symbol(N,row,column)))}fn number<R:Read>(input:&mut Input<R>,side:usize,row:usize,column:usize,)->Result<u8,ReadError>{let mut next=input.peek()?;while next.is_some_and(is_blank){input.bump();
next=input.peek()?;}let position=input.position();let mut digits=String::new();while let Some(byte)=input.peek()?{if!byte.is_ascii_digit()||digits.len()==MAX_WORD_BYTES{break;
}digits.push(char::from(byte));input.bump();}match(digits.parse::<u8>(),input.peek()?){(Ok(value),_)if usize::from(value)<=side=>return Ok(value),(_,Some(byte))if digits.is_empty()&&is_empty_mark(byte)=>{input.bump();
return Ok(0);}_=>{}}let found=match digits.is_empty(){true=>input.found()?,false=>Found::word(&digits),};Err(error_at(position,found,expected_symbol(side,row,column)))}
fn expected_symbol(side:usize,row:usize,column:usize)->Expected{Expected::Symbol{side,row,column,}}fn spaced_row<const N:usize,R:Read>(input:&mut Input<R>,row:&mut Row<N>,
index:usize,)->Result<(),ReadError>{for(column,cell)in row.iter_mut().enumerate(){while let Some(byte)=input.peek()?{if!is_blank(byte){break;}input.bump();}let position=input.position();
let word=input.word_up_to(MAX_WORD_BYTES)?;if column==0&&N>1&&N<=9&&word.len()==N{plain_row(&word,row,index,position)?;break;}let number=match word.as_bytes(){[b'.'|b'-'|b'*'|b'?']=>Some(0),
[b'+',..]=>None,_=>word.parse::<u8>().ok(),};*cell=match number{Some(number)if number as usize<=N=>number,_=>{let found=if word.is_empty(){input.found()?}else{Found::word(&word)}
;let expected=Expected::Words("number {} of row {}: 1 to {}, or 0 for an empty cell",[column+1,index+1,N],);return Err(error_at(position,found,expected));}};}input.end_row(Expected::Words("the end of row {} after its {} numbers",
[index+1,N,0],),)}fn brackets<const N:usize,R:Read>(input:&mut Input<R>,grid:&mut Grid<N>,)->Result<(),ReadError>{punctuation(input,b'[',Expected::plain("'[' before the first row"))?;
for(index,row)in grid.rows_mut().iter_mut().enumerate(){let number=index+1;if index>0{let expected=Expected::Words("',' and then row {} of {}",[number,N,0],);punctuation(input,
b',',expected)?;}let expected=Expected::Words("'[' before row {}",[number,0,0]);punctuation(input,b'[',expected)?;for(column,cell)in row.iter_mut().enumerate(){if column>0{let numbers=[column+1,
number,0];let expected=Expected::Words("',' and then cell {} of row {}",numbers,);punctuation(input,b',',expected)?;}input.skip_blanks()?;let quote=input.peek()?.filter(|byte|matches!(byte,
b'"'|b'\''));if quote.is_some(){input.bump();}*cell=symbol::<N,R>(input,index,column)?;if let Some(quote)=quote{let expected=Expected::plain("the same quote as before the symbol",
);punctuation(input,quote,expected)?;}}let numbers=[N,number,0];let expected=Expected::Words("']' after the {} cells of row {}",numbers,);punctuation(input,b']',
expected)?;}punctuation(input,b']',Expected::Words("']' after the {} rows",[N,0,0]),)}fn punctuation<R:Read>(input:&mut Input<R>,byte:u8,expected:Expected,)->Result<(),
ReadError>{if input.starts_with(byte)?{input.bump();return Ok(());}let found=input.found()?;Err(input.error(found,expected))}}mod symbols{pub(super)const MAX_SYMBOLS:usize=26;
pub(super)const fn is_empty_mark(byte:u8)->bool{(byte==b'.')|(byte==b'0')|(byte==b'-')|(byte==b'*')|(byte==b'?')}#[inline]pub(super)const fn first_symbol(n:usize)->u8{if n<=9{b'1'}
else{b'A'}}#[inline(always)]pub(super)const fn value_of<const N:usize>(byte:u8)->(u8,bool){let empty=is_empty_mark(byte);let index=byte.wrapping_sub(first_symbol(N));
let value=if empty{0}else{index.wrapping_add(1)};(value,empty|((index as usize)<N))}#[inline]pub fn values<const N:usize>(symbols:&[u8],values:&mut[u8],)->bool{let mut all=true;
for(value,&symbol)in values.iter_mut().zip(symbols){let(digit,is_symbol)=value_of::<N>(symbol);*value=digit;all&=is_symbol;}all}pub(super)const NO_SYMBOL:u8=0x80;
pub(super)const fn table<const N:usize>()->[u8;256]{let mut table=[NO_SYMBOL;256];let mut byte=0;while byte<256&&N<=MAX_SYMBOLS{let(value,is_symbol)=value_of::<N>(byte as u8);
if is_symbol{table[byte]=value;}byte+=1;}table}#[inline(always)]pub(super)const fn symbol_of<const N:usize>(value:u8,empty:u8)->u8{match value{0=>empty,_=>value-1+first_symbol(N),
}}}pub(crate)use error::ReadError;pub(crate)use input::Input;pub(crate)use output::Output;pub const BUFFER_BYTES:usize=64*1024;const FIRST_BYTES:usize=2*1024;#[derive(Clone,
Copy,PartialEq,Eq,Hash,Debug)]pub enum Layout{Spaced,Rows,Line,Brackets,}#[derive(Clone,Copy,PartialEq,Eq,Hash,Debug)]pub struct Notation{layout:Layout,empty:u8,
}impl Notation{pub const SPACED:Self=Self::new(Layout::Spaced,b'0');const fn new(layout:Layout,empty:u8)->Self{Notation{layout,empty}}}}pub mod rules{mod boxes{use crate::sudoku::grid::{Cell,
Grid};impl<const N:usize>Cell<N>{const BOX:(usize,usize)=box_shape(N);pub const fn box_index(self)->usize{let(height,width)=Self::BOX;self.row()/height*height+self.column()/width}
}#[inline(always)]pub const fn box_shape(n:usize)->(usize,usize){match n{4=>return(2,2),9=>return(3,3),16=>return(4,4),25=>return(5,5),36=>return(6,6),_=>{}}let(mut height,
mut next)=(1,2);while next*next<=n{if n.is_multiple_of(next){height=next;}next+=1;}(height,n/height)}pub fn allows_classic<const N:usize>(grid:&Grid<N>)->bool{let(mut rows,
mut columns,mut boxes)=([0u64;N],[0u64;N],[0u64;N],);for(row,line)in grid.rows().iter().enumerate(){for(column,&value)in line.iter().enumerate(){if value>0{let bit=1u64<<(value-1);
let house=Cell::<N>::at(row,column).box_index();if(rows[row]|columns[column]|boxes[house])&bit!=0{return false;}rows[row]|=bit;columns[column]|=bit;boxes[house]|=bit;
}}}true}}mod error{}mod house{}mod layout{}mod part{}pub(crate)use boxes::allows_classic;}}mod program{pub mod digits{}use std::fmt;use std::io::{self,StdinLock,
StdoutLock};use std::process::ExitCode;use crate::sudoku::notation::{Input,Output,ReadError};pub type Result<T> =std::result::Result<T,Failure>;pub const NO_SOLUTION:Failure=Failure::NoSolution(1);
#[derive(Debug)]pub enum Failure{Read(ReadError),Write(io::Error),NoSolution(u64),Message(String),}impl fmt::Display for Failure{fn fmt(&self,f:&mut fmt::Formatter<'_>)->fmt::Result{match self{Failure::Read(error)=>error.fmt(f),
Failure::Write(error)=>error.fmt(f),Failure::NoSolution(1)=>{f.write_str("the puzzle has no solution: check its givens")}Failure::NoSolution(number)=>{write!(f,"puzzle {number} has no solution: check its givens")}
Failure::Message(message)=>f.write_str(message),}}}impl std::error::Error for Failure{}impl From<ReadError>for Failure{fn from(error:ReadError)->Self{Failure::Read(error)}
}impl From<io::Error>for Failure{fn from(error:io::Error)->Self{Failure::Write(error)}}impl From<&str>for Failure{fn from(message:&str)->Self{Failure::Message(message.to_owned())}
}impl From<String>for Failure{fn from(message:String)->Self{Failure::Message(message)}}pub fn run<S>(solve:S)->ExitCode where S:FnOnce(&mut Input<StdinLock>,&mut Output<StdoutLock>)->Result<()>,
{let mut output=Output::new(io::stdout().lock());let solved=solve(&mut Input::new(io::stdin().lock()),&mut output);let finished=output.finish();match solved.and_then(|()|Ok(finished?)){Ok(())=>ExitCode::SUCCESS,
Err(Failure::Write(error))if error.kind()==io::ErrorKind::BrokenPipe=>{ExitCode::SUCCESS}Err(error)=>{eprintln!("error: {error}");ExitCode::FAILURE}}}}
